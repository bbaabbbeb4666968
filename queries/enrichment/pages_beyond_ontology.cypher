// title: Relevant pages that name few concepts
// answers: Which relevant pages speak in words that the ontology does not have?
// param: crawl text newest id of the crawl
// param: most integer[0..] 10 most concepts that a page names
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, relevance, label, concepts
// example: limit=10
// cost: every relevant page of the crawl with its mentions
// needs: crawl, fetched, relevant
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevant OR f.label
WITH p, f, COUNT { MATCH (p)-[m:MENTIONS]->(:Concept) WHERE m.crawl = c.id } AS concepts
WHERE concepts <= $most
RETURN p.url AS url, f.title AS title, f.relevance AS relevance, f.label AS label, concepts
ORDER BY concepts, relevance DESC, url
LIMIT $limit
