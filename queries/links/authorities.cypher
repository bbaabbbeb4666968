// title: Authorities: relevant pages of other hosts link to them
// answers: Which pages do those who write about the topic refer to, fetched or not?
// param: crawl text newest id of the crawl
// param: least integer[1..] 1 least number of other hosts with a relevant page that links
// param: limit integer[1..1000000] 20 how many pages
// returns: url, hosts, pages, fetched flag, relevance, title
// example: limit=10
// stored: link figures
// cost: every page that the crawl fetched or knows; the numbers of links to it are stored
// needs: crawl, fetched, relevant, links, several_hosts
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[r:FETCHED|KNOWS]->(p:Page)
WHERE r.cited_by_hosts >= $least
RETURN p.url AS url, r.cited_by_hosts AS hosts, r.cited_by_pages AS pages, type(r) = 'FETCHED' AS fetched,
       r.relevance AS relevance, r.title AS title
ORDER BY hosts DESC, pages DESC, url
LIMIT $limit
