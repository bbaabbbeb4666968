// title: Pages of a crawl that are gone, the latest first
// answers: Which pages on the topic can no longer be read?
// param: crawl text newest id of the crawl
// param: since date "" the earliest; empty: no limit
// param: relevant_only flag true only relevant pages
// param: limit integer[1..1000000] 20 how many pages
// returns: gone, url, title, relevance, first_seen, last_seen
// example: limit=10
// cost: every page that the crawl fetched
// needs: crawl, fetched, revisited
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.gone IS NOT NULL AND f.gone >= $since AND (f.relevant OR NOT $relevant_only)
RETURN f.gone AS gone, p.url AS url, f.title AS title, f.relevance AS relevance, f.first_seen AS first_seen,
       f.last_seen AS last_seen
ORDER BY gone DESC, url
LIMIT $limit
