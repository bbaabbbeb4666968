// title: Hub pages: their links lead to many relevant pages
// answers: From which pages should a crawl start next time?
// param: crawl text newest id of the crawl
// param: least integer[1..] 2 least number of relevant pages linked to
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, leads_to, links_to_fetched, share, relevance
// example: limit=10
// stored: link figures
// cost: every page that the crawl fetched; the numbers of its links are stored
// needs: crawl, fetched, relevant, links
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.links_to_relevant >= $least
RETURN p.url AS url, f.title AS title, f.links_to_relevant AS leads_to, f.links_to_fetched AS links_to_fetched,
       1.0 * f.links_to_relevant / f.links_to_fetched AS share, f.relevance AS relevance
ORDER BY leads_to DESC, url
LIMIT $limit
