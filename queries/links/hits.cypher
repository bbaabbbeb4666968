// title: The hubs and authorities of a crawl by HITS
// answers: Which pages are hubs or authorities in the whole link graph of the crawl?
// param: crawl text newest id of the crawl
// param: by text[authority|hub] "authority" which come first
// param: limit integer[1..1000000] 20 how many pages
// returns: url, authority, hub, fetched flag, relevance, title
// example: by=hub limit=10
// cost: every page that the crawl fetched or knows; the weights come from graph rank
// needs: crawl, hits
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[r:FETCHED|KNOWS]->(p:Page)
WHERE r.authority IS NOT NULL AND r.hub IS NOT NULL
RETURN p.url AS url, r.authority AS authority, r.hub AS hub, type(r) = 'FETCHED' AS fetched, r.relevance AS relevance,
       r.title AS title
ORDER BY CASE WHEN $by = 'hub' THEN hub ELSE authority END DESC, url
LIMIT $limit
