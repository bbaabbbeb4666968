// title: The links that a crawl would have followed next
// answers: What is left in the frontier, and by which anchors is it known?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many links
// param: names integer[1..1000] 5 how many anchor texts of each
// returns: url, priority, pagerank, anchors, linked_from
// lists: anchors
// example: limit=10
// cost: every page that the crawl knows and did not fetch
// needs: crawl, known, waiting
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[k:KNOWS]->(p:Page)
WHERE k.priority IS NOT NULL
WITH c, p, k
ORDER BY k.priority DESC, p.url
LIMIT $limit
OPTIONAL MATCH (p)<-[l:LINKS_TO]-(q:Page)
WHERE l.crawl = c.id
WITH p, k, l, q
ORDER BY p.url, l.anchor, q.url
RETURN p.url AS url, k.priority AS priority, k.pagerank AS pagerank,
       collect(DISTINCT CASE WHEN l.anchor <> '' THEN l.anchor END)[0..$names] AS anchors, count(q) AS linked_from
ORDER BY priority DESC, url
