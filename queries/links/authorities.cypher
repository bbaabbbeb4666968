// title: Authorities: relevant pages of other hosts link to them
// answers: Which pages do those who write about the topic refer to, fetched or not?
// param: crawl text "" id of the crawl; empty: the newest one
// param: least integer[1..] 1 least number of other hosts with a relevant page that links
// param: limit integer[1..1000000] 20 how many pages
// returns: url, hosts, pages, fetched, relevance, title
// example: limit=10
// cost: slow: every link of a relevant page
// needs: crawl, fetched, relevant, links, several_hosts
// none: no relevant page of {crawl} links to a page of another host
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)-[:ON_HOST]->(h:Host)
WHERE f.relevant
MATCH (p)-[l:LINKS_TO]->(target:Page)
WHERE l.crawl = c.id
MATCH (target)-[:ON_HOST]->(own:Host)
WHERE own.name <> h.name
WITH c.id AS crawl, target, count(DISTINCT h.name) AS hosts, count(*) AS pages
WHERE hosts >= $least
WITH crawl, target, hosts, pages
ORDER BY hosts DESC, pages DESC, target.url
LIMIT $limit
OPTIONAL MATCH (target)<-[g:FETCHED]-(:Crawl {id: crawl})
RETURN target.url AS url, hosts, pages, g IS NOT NULL AS fetched, g.relevance AS relevance, g.title AS title
ORDER BY hosts DESC, pages DESC, url
