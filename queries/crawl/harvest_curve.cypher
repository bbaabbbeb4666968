// title: How the harvest of a crawl grew
// answers: How many relevant pages had been found after so many fetches?
// param: crawl text "" id of the crawl; empty: the newest one
// param: every integer 50 fetches between two points
// returns: fetched, relevant, accuracy, relevant_by_label
// example: every=100
// cost: every page that the crawl fetched
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(:Page)
WHERE f.relevance IS NOT NULL
WITH f.step AS step, CASE WHEN f.relevant THEN 1 ELSE 0 END AS hit, CASE WHEN f.label THEN 1 ELSE 0 END AS truth
ORDER BY step
WITH collect(hit) AS hits, collect(truth) AS truths
WITH hits, truths, size(hits) AS n
UNWIND [i IN range(1, n) WHERE i % $every = 0 OR i = n] AS fetched
WITH fetched, reduce(s = 0, hit IN hits[0..fetched] | s + hit) AS relevant,
     reduce(s = 0, truth IN truths[0..fetched] | s + truth) AS relevant_by_label
RETURN fetched, relevant, 1.0 * relevant / fetched AS accuracy, relevant_by_label
ORDER BY fetched
