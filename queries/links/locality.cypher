// title: Whether relevant pages link to relevant pages
// answers: How much does the relevance of a page tell about the pages that it links to?
// param: crawl text "" id of the crawl; empty: the newest one
// param: pages integer[1..1000000] 2000 how many pages to look at, the last of the crawl
// returns: page_is_relevant, pages, links, to_relevant, share
// example: pages=500
// cost: the links of the pages looked at; only those to fetched pages count
// needs: crawl, fetched, links
// none: no link leads from a page that {crawl} read to another one
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[own:FETCHED]->(p:Page)
WHERE own.relevance IS NOT NULL
WITH c, p, own
ORDER BY own.step DESC
LIMIT $pages
MATCH (p)-[l:LINKS_TO]->(q:Page)
WHERE l.crawl = c.id
MATCH (q)<-[f:FETCHED]-(c)
WHERE f.relevance IS NOT NULL
WITH own.relevant AS page_is_relevant, count(DISTINCT p.url) AS pages, count(*) AS links,
     sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS to_relevant
RETURN page_is_relevant, pages, links, to_relevant, 1.0 * to_relevant / links AS share
ORDER BY page_is_relevant DESC
