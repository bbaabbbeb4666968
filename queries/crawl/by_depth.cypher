// title: The harvest of a crawl by the distance from its seeds
// answers: How deep does it pay to go?
// param: crawl text newest id of the crawl
// returns: depth, fetched, relevant integer, share
// example: crawl=demo-learned
// stored: link figures
// cost: every page that the crawl fetched; depth, in the tree of LED_TO, is stored
// needs: crawl, fetched
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(:Page)
WHERE f.depth IS NOT NULL AND f.relevance IS NOT NULL
WITH f.depth AS depth, count(*) AS fetched, sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant
RETURN depth, fetched, relevant, 1.0 * relevant / fetched AS share
ORDER BY depth
