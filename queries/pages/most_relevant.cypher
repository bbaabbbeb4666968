// title: The most relevant pages of a crawl
// answers: Which pages should I read first?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, host, relevance, label, step, pagerank
// example: limit=10
// cost: every page that the crawl fetched
// needs: crawl, fetched
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevance IS NOT NULL
WITH f, p
ORDER BY f.relevance DESC, p.url
LIMIT $limit
MATCH (p)-[:ON_HOST]->(h:Host)
RETURN p.url AS url, f.title AS title, h.name AS host, f.relevance AS relevance, f.label AS label,
       f.step AS step, f.pagerank AS pagerank
ORDER BY relevance DESC, url
