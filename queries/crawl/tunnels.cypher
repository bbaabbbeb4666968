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
WITH c, exit, collect({p: p, f: f}) AS finds
MATCH way = (exit)<-[:LED_TO*1..4 {crawl: c.id}]-(entrance:Page)
MATCH (entrance)<-[e:FETCHED]-(c)
WHERE e.relevant
WITH c, exit, finds, min(length(way)) AS length
UNWIND finds AS find
WITH c, find.p AS p, find.f AS f, length
ORDER BY length DESC, f.relevance DESC, p.url
LIMIT $limit
MATCH way = (p)<-[:LED_TO*2..5 {crawl: c.id}]-(entrance:Page)
WHERE length(way) = length + 1
UNWIND nodes(way)[1..-1] AS inner
MATCH (inner)<-[g:FETCHED]-(c)
WITH p, f, length, entrance, inner, g
ORDER BY p.url, g.step
WITH p, f, length, entrance, collect(inner.url) AS through
RETURN p.url AS url, f.relevance AS relevance, f.step AS step, length, entrance.url AS entrance, through
ORDER BY length DESC, relevance DESC, url
LIMIT $limit
