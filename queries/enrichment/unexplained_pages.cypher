// title: Relevant pages of a topic's crawls that no class explains
// answers: Which relevant pages speak of nothing that the ontologies of the topic have, beside the topic itself?
// param: topic text "" name of the topic; empty: all
// param: ontologies list [] keys of ontologies; empty: those of the topic
// param: trivial list [] IRIs of classes that explain nothing, as those that the topic's words name; roots are such
// param: limit integer[1..1000000] 50 how many pages
// returns: url, title, relevance, crawls list
// example: topic=rainstorm ontologies=https://w3id.org/ontocrawl/rainstorm/management limit=10
// cost: every relevant page of the topic's crawls with its mentions; a name in a menu or a link alone explains nothing
// needs: crawl, fetched, relevant
MATCH (o:Ontology)
WHERE o.iri IN $ontologies OR (size($ontologies) = 0 AND ($topic = '' OR o.topic = $topic))
WITH collect(o.iri) AS keys, collect(o.root) AS roots
MATCH (c:Crawl)
WHERE $topic = '' OR c.topic = $topic
WITH keys, roots, collect(c.id) AS crawls
MATCH (c:Crawl)-[f:FETCHED]->(p:Page)
WHERE c.id IN crawls AND f.relevant
WITH keys, roots, crawls, c, f, p
ORDER BY p.url, c.started, c.id
WITH keys, roots, crawls, p, collect(c.id) AS found_by,
     collect(f.title) AS titles, collect(f.relevance) AS relevances
WHERE NOT EXISTS {
  MATCH (p)-[m:MENTIONS]->(:Concept)-[i:IN_ONTOLOGY]->(o:Ontology)
  WHERE m.crawl IN crawls AND m.sentence IS NOT NULL AND o.iri IN keys AND NOT i.iri IN $trivial AND NOT i.iri IN roots
}
RETURN p.url AS url, titles[size(titles) - 1] AS title, relevances[size(relevances) - 1] AS relevance,
       found_by AS crawls
ORDER BY relevance DESC, url
LIMIT $limit
