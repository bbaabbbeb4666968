// title: The pages of a crawl about a concept or anything below it
// answers: What did the crawl find about this class and its subclasses and parts?
// param: concept text required IRI or label of the concept
// param: ontology text "" IRI of the ontology; empty: each of those that have the concept
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, relevance, mentions, concepts list
// example: concept=地质灾害 limit=10
// cost: slow for a concept near the root: the concepts below, and all pages that name them
// needs: crawl, fetched, mentions, in_ontology
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (start:Concept)-[:IN_ONTOLOGY]->(o:Ontology)
WHERE (start.iri = $concept OR start.label_zh = $concept OR start.label_en IN [$concept, toLower($concept)])
  AND ($ontology = '' OR o.iri = $ontology)
MATCH way = (start)<-[:SUBCLASS_OF|PART_OF*0.. {ontology: o.iri}]-(reached:Concept)
WITH c, start, o, reached, min(length(way)) AS distance
WITH DISTINCT c.id AS crawl, reached AS concept
MATCH (concept)<-[m:MENTIONS]-(p:Page)
WHERE m.crawl = crawl
WITH crawl, p, sum(m.count) AS mentions,
     collect({count: m.count, iri: concept.iri, label: coalesce(concept.label_zh, concept.label_en)}) AS found
MATCH (p)<-[f:FETCHED]-(:Crawl {id: crawl})
WHERE f.relevance IS NOT NULL
WITH p, f, mentions, found
ORDER BY mentions DESC, f.relevance DESC, p.url
LIMIT $limit
UNWIND found AS one
WITH p, f, mentions, one
ORDER BY p.url, one.count DESC, one.iri
WITH p, f, mentions, collect(one.label) AS concepts
RETURN p.url AS url, f.title AS title, f.relevance AS relevance, mentions, concepts
ORDER BY mentions DESC, relevance DESC, url
