// title: The harvest of a crawl by the distance from its seeds
// answers: How deep does it pay to go?
// param: crawl text "" id of the crawl; empty: the newest one
// returns: depth, fetched, relevant, share
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
WITH c, p, length(way) AS depth
MATCH (p)<-[f:FETCHED]-(c)
WHERE f.relevance IS NOT NULL
WITH depth, count(*) AS fetched, sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant
RETURN depth, fetched, relevant, 1.0 * relevant / fetched AS share
ORDER BY depth
