// title: The pages of a crawl that the links of other pages favour
// answers: Which pages does this part of the web point to, fetched or not?
// param: crawl text newest id of the crawl
// param: fetched flag false whether to show fetched pages only
// param: limit integer[1..1000000] 20 how many pages
// returns: url, pagerank, fetched flag, title, relevance, reason
// example: fetched=true limit=10
// cost: every page that the crawl fetched or knows; ranks come from graph rank
// needs: crawl, pagerank
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[r:FETCHED|KNOWS]->(p:Page)
WHERE r.pagerank IS NOT NULL AND (type(r) = 'FETCHED' OR NOT $fetched)
RETURN p.url AS url, r.pagerank AS pagerank, type(r) = 'FETCHED' AS fetched, r.title AS title,
       r.relevance AS relevance, r.reason AS reason
ORDER BY pagerank DESC, url
LIMIT $limit
