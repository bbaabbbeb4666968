// title: What each seed of a crawl led to
// answers: Which seeds were worth it?
// param: crawl text newest id of the crawl
// returns: seed, fetched, relevant integer, share, farthest
// example: crawl=demo-learned
// stored: link figures
// cost: every page that the crawl fetched; seed and depth, in the tree of LED_TO, are stored
// needs: crawl, fetched
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(:Page)
WHERE f.seed IS NOT NULL AND f.relevance IS NOT NULL
WITH f.seed AS seed, count(*) AS fetched, sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant,
     max(f.depth) AS farthest
RETURN seed, fetched, relevant, 1.0 * relevant / fetched AS share, farthest
ORDER BY relevant DESC, share DESC, seed
