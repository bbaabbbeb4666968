// title: The pages of a community of a crawl
// answers: Which pages belong to this community, and which known ones do most links from it lead to?
// param: crawl text newest id of the crawl
// param: community integer[1..] 1 number of the community, as links/communities has it
// param: fetched flag false whether to show fetched pages only
// param: limit integer[1..1000000] 20 how many pages
// returns: url, pagerank, fetched flag, title, relevance, component, reason
// example: community=1 limit=10
// stored: link figures
// cost: every page that the crawl fetched or knows; the communities are stored
// needs: crawl, fetched, links
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[r:FETCHED|KNOWS]->(p:Page)
WHERE r.community = $community AND (type(r) = 'FETCHED' OR NOT $fetched)
RETURN p.url AS url, r.pagerank AS pagerank, type(r) = 'FETCHED' AS fetched, r.title AS title,
       r.relevance AS relevance, r.component AS component, r.reason AS reason
ORDER BY fetched DESC, pagerank DESC, url
LIMIT $limit
