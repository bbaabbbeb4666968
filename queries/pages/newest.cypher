// title: The newest relevant pages of a crawl
// answers: What was published last on the topic?
// param: since text "" ISO date of the earliest; empty: no limit
// param: crawl text "" id of the crawl; empty: the newest one
// param: limit integer[1..1000000] 20 how many pages
// returns: published, url, title, relevance, host
// example: since=2020-01-01 limit=10
// cost: every page that the crawl fetched
// needs: crawl, fetched, relevant, dated
// none: the pages of {crawl} lack their hosts in the graph
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevant AND f.published IS NOT NULL AND f.published >= $since
WITH p, f
ORDER BY f.published DESC, p.url
LIMIT $limit
MATCH (p)-[:ON_HOST]->(h:Host)
RETURN f.published AS published, p.url AS url, f.title AS title, f.relevance AS relevance, h.name AS host
ORDER BY published DESC, url
