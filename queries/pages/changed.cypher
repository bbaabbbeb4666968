// title: Pages of a crawl that visits found changed, the latest first
// answers: Which pages on the topic have changed since I crawled them?
// param: crawl text newest id of the crawl
// param: since date "" the earliest; empty: no limit
// param: relevant_only flag true only relevant pages
// param: limit integer[1..1000000] 20 how many pages
// returns: changed, url, title, relevance, first_seen, last_seen, gone
// example: limit=10
// cost: every page that the crawl fetched; title and relevance are those that the crawl saw
// needs: crawl, fetched, revisited
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.changed IS NOT NULL AND f.changed >= $since AND (f.relevant OR NOT $relevant_only)
RETURN f.changed AS changed, p.url AS url, f.title AS title, f.relevance AS relevance, f.first_seen AS first_seen,
       f.last_seen AS last_seen, f.gone AS gone
ORDER BY changed DESC, url
LIMIT $limit
