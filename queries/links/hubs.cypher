// title: Hub pages: their links lead to many relevant pages
// answers: From which pages should a crawl start next time?
// param: crawl text "" id of the crawl; empty: the newest one
// param: least integer[1..] 2 least number of relevant pages linked to
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, leads_to, links_to_fetched, share, relevance
// example: limit=10
// cost: slow: every link to a relevant page
// needs: crawl, fetched, relevant, links
// none: no page of {crawl} links to a relevant one
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevant
MATCH (p)<-[l:LINKS_TO]-(hub:Page)
WHERE l.crawl = c.id
WITH c, hub, count(*) AS leads_to
WHERE leads_to >= $least
ORDER BY leads_to DESC, hub.url
LIMIT $limit
MATCH (hub)-[l:LINKS_TO]->(target:Page)
WHERE l.crawl = c.id
MATCH (target)<-[g:FETCHED]-(c)
WHERE g.relevance IS NOT NULL
WITH c, hub, leads_to, count(*) AS links_to_fetched
MATCH (hub)<-[own:FETCHED]-(c)
RETURN hub.url AS url, own.title AS title, leads_to, links_to_fetched, 1.0 * leads_to / links_to_fetched AS share,
       own.relevance AS relevance
ORDER BY leads_to DESC, url
