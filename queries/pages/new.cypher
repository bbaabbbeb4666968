// title: Pages that visits of a crawl's pages found, the latest first
// answers: What is new on the topic since I crawled?
// param: crawl text newest id of the crawl
// param: since date "" the earliest; empty: no limit
// param: relevant_only flag true only relevant pages
// param: limit integer[1..1000000] 20 how many pages
// returns: first_seen, url, title, relevance, published, found_at_revisit, last_seen
// example: limit=10
// cost: every page that the crawl fetched
// needs: crawl, fetched, revisited
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.found_at_revisit IS NOT NULL AND f.first_seen >= $since AND (f.relevant OR NOT $relevant_only)
RETURN f.first_seen AS first_seen, p.url AS url, f.title AS title, f.relevance AS relevance,
       f.published AS published, f.found_at_revisit AS found_at_revisit, f.last_seen AS last_seen
ORDER BY first_seen DESC, url
LIMIT $limit
