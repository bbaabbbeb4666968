// title: The hosts that cost a crawl most and gave least
// answers: Where did fetches go that found nothing?
// param: crawl text newest id of the crawl
// param: least integer[1..] 3 least number of fetched pages of a host
// param: limit integer[1..1000000] 20 how many hosts
// returns: host, fetched, relevant integer, wasted, failed
// example: least=5 limit=10
// cost: every page that the crawl fetched
// needs: crawl, attempted
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(:Page)-[:ON_HOST]->(h:Host)
WITH h.name AS host, count(f.relevance) AS fetched, sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant,
     count(f.failure) AS failed
WHERE fetched + failed >= $least
RETURN host, fetched, relevant, fetched - relevant AS wasted, failed
ORDER BY wasted DESC, relevant, host
LIMIT $limit
