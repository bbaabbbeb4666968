// title: The hosts on which fetches failed
// answers: Which hosts refuse, break or have gone, and for which reason?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many hosts and reasons
// returns: host, failure, pages, fetched, example
// example: limit=10
// cost: every page that the crawl fetched
// needs: crawl, failed
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.failure IS NOT NULL
MATCH (p)-[:ON_HOST]->(h:Host)
WITH c, h, f.failure AS failure, count(*) AS pages, min(p.url) AS example
ORDER BY pages DESC, h.name, failure
LIMIT $limit
RETURN h.name AS host, failure, pages,
       COUNT { MATCH (h)<-[:ON_HOST]-(:Page)<-[g:FETCHED]-(c) WHERE g.relevance IS NOT NULL } AS fetched, example
ORDER BY pages DESC, host, failure
