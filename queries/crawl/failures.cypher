// title: What went wrong in a crawl
// answers: Which fetches failed, why, and on how many hosts?
// param: crawl text newest id of the crawl
// returns: failure, pages, hosts, first_step, example
// example: crawl=demo-breadth_first
// cost: every page that the crawl fetched
// needs: crawl, failed
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.failure IS NOT NULL
MATCH (p)-[:ON_HOST]->(h:Host)
RETURN f.failure AS failure, count(*) AS pages, count(DISTINCT h.name) AS hosts, min(f.step) AS first_step,
       min(p.url) AS example
ORDER BY pages DESC, failure
