// title: What a crawl knows and did not fetch
// answers: For which reasons were links left, and how good was the best of each?
// param: crawl text newest id of the crawl
// returns: reason, links, best_priority, example
// example: crawl=demo-learned
// cost: every page that the crawl knows and did not fetch
// needs: crawl, known
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[k:KNOWS]->(p:Page)
RETURN k.reason AS reason, count(*) AS links, max(k.priority) AS best_priority, min(p.url) AS example
ORDER BY links DESC, reason
