// title: The relevant pages of a crawl with the classes that each names
// answers: What do the relevant pages of a crawl speak of, in the words of the ontologies?
// param: crawl text newest id of the crawl
// param: ontologies list [] keys of the ontologies whose classes count; empty: all
// param: limit integer[1..1000000] 50 how many pages
// returns: url, title, relevance, published, classes list, counts list
// example: limit=10
// cost: every relevant page of the crawl with its mentions; classes are IRIs, counts how often the page names each
// needs: crawl, fetched, relevant
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevant
OPTIONAL MATCH (p)-[m:MENTIONS]->(:Concept)-[i:IN_ONTOLOGY]->(o:Ontology)
WHERE m.crawl = c.id AND (size($ontologies) = 0 OR o.iri IN $ontologies)
WITH p, f, i.iri AS iri, max(m.count) AS count
ORDER BY p.url, iri
RETURN p.url AS url, f.title AS title, f.relevance AS relevance, f.published AS published,
       collect(iri) AS classes, collect(count) AS counts
ORDER BY relevance DESC, url
LIMIT $limit
