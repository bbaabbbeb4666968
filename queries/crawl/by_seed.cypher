// title: What each seed of a crawl led to
// answers: Which seeds were worth it?
// param: crawl text "" id of the crawl; empty: the newest one
// returns: seed, fetched, relevant, share, farthest
// example: crawl=demo-learned
// cost: slow: the way from a seed to every page that the crawl fetched; LED_TO is a tree
// needs: crawl, fetched
// none: the graph lacks the seeds of {crawl}, or the links by which it went: `ontocrawl graph rebuild {crawl}`
// none: writes them
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
UNWIND c.seeds AS seed
MATCH (start:Page {url: seed})
MATCH way = (start)-[:LED_TO*0..1000 {crawl: c.id}]->(p:Page)
WITH c, seed, p, length(way) AS depth
MATCH (p)<-[f:FETCHED]-(c)
WHERE f.relevance IS NOT NULL
WITH seed, count(*) AS fetched, sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant, max(depth) AS farthest
RETURN seed, fetched, relevant, 1.0 * relevant / fetched AS share, farthest
ORDER BY relevant DESC, share DESC, seed
