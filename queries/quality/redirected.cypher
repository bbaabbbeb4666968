// title: Pages of a crawl that answered from another address
// answers: Which addresses lead elsewhere, and did that cost a fetch?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 30 how many pages
// returns: url, final_url, status integer, failure, relevance
// example: limit=10
// cost: every page that the crawl fetched
// needs: crawl, attempted
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.final_url <> p.url
RETURN p.url AS url, f.final_url AS final_url, f.status AS status, f.failure AS failure, f.relevance AS relevance
ORDER BY url
LIMIT $limit
