// title: Relevant pages that a crawl reached through one to four irrelevant ones
// answers: Which finds would a crawler have missed that never follows a poor page?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many tunnels
// returns: url, relevance, step, length, entrance, through
// example: limit=10
// cost: slow: up to five steps back from every relevant page that an irrelevant one led to; LED_TO is a tree
// needs: crawl, fetched, relevant
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevant
MATCH (p)<-[l:LED_TO]-(exit:Page)
WHERE l.crawl = c.id
MATCH (exit)<-[x:FETCHED]-(c)
WHERE x.relevant = false
MATCH way = (exit)<-[:LED_TO*1..4 {crawl: c.id}]-(entrance:Page)
MATCH (entrance)<-[e:FETCHED]-(c)
WHERE e.relevant
WITH c, p, f, entrance, nodes(way)[0..-1] AS back
UNWIND back AS inner
MATCH (inner)<-[g:FETCHED]-(c)
WITH p, f, entrance, size(back) AS length, inner, g
ORDER BY p.url, entrance.url, g.step
WITH p, f, entrance, length, collect(inner.url) AS through, sum(CASE WHEN g.relevant THEN 1 ELSE 0 END) AS bright
WHERE bright = 0
RETURN p.url AS url, f.relevance AS relevance, f.step AS step, length, entrance.url AS entrance, through
ORDER BY length DESC, relevance DESC, url
LIMIT $limit
