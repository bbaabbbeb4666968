// title: The pages of a crawl by the weights of the concepts that they name
// answers: Which pages say most about the topic as the ontology sees it, and does the judge agree?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, weight, concepts, relevance, label
// example: limit=10
// cost: slow: every mention of a concept by a page of the crawl
// needs: crawl, attempted, mentions
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)-[m:MENTIONS]->(:Concept)
WHERE m.crawl = c.id
WITH p, f, round(sum(m.weight), 6) AS weight, count(*) AS concepts
RETURN p.url AS url, f.title AS title, weight, concepts, f.relevance AS relevance, f.label AS label
ORDER BY weight DESC, concepts DESC, url
LIMIT $limit
