// title: Whether relevant pages link to relevant pages
// answers: How much does the relevance of a page tell about the pages that it links to?
// param: crawl text newest id of the crawl
// param: pages integer[1..1000000] 1000000 how many pages to look at, the last of the crawl
// returns: page_is_relevant, pages, links, to_relevant, share
// example: pages=500
// stored: link figures
// cost: the pages that the crawl judged, without near-duplicates; the numbers of links to fetched pages are stored
// needs: crawl, fetched, links
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(:Page)
WHERE f.relevant IS NOT NULL
WITH f
ORDER BY f.step DESC
LIMIT $pages
WITH f
WHERE f.links_to_fetched > 0
WITH f.relevant AS page_is_relevant, count(*) AS pages, sum(f.links_to_fetched) AS links,
     sum(f.links_to_relevant) AS to_relevant
RETURN page_is_relevant, pages, links, to_relevant, 1.0 * to_relevant / links AS share
ORDER BY page_is_relevant DESC
