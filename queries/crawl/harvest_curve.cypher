// title: How the harvest of a crawl grew
// answers: How many relevant pages had been found after so many fetches?
// param: crawl text newest id of the crawl
// param: every integer[1..] 50 fetches between two points
// returns: fetched, relevant integer, accuracy, relevant_by_label
// example: every=100
// cost: slow: every page that the crawl fetched, sorted by step
// needs: crawl, fetched
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(:Page)
WHERE f.relevance IS NOT NULL
WITH f.step AS step, CASE WHEN f.relevant THEN 1 ELSE 0 END AS hit, CASE WHEN f.label THEN 1 ELSE 0 END AS truth
ORDER BY step
WITH collect(hit) AS hits, collect(truth) AS truths
WITH size(hits) AS n, hits, truths, range(0, (size(hits) - 1) / $every) AS parts
WHERE n > 0
WITH n, [i IN parts | reduce(s = 0, hit IN hits[i * $every..(i + 1) * $every] | s + hit)] AS found,
     [i IN parts | reduce(s = 0, truth IN truths[i * $every..(i + 1) * $every] | s + truth)] AS labelled
UNWIND range(0, size(found) - 1) AS i
WITH CASE WHEN (i + 1) * $every > n THEN n ELSE (i + 1) * $every END AS fetched,
     reduce(s = 0, part IN found[0..i + 1] | s + part) AS relevant,
     reduce(s = 0, part IN labelled[0..i + 1] | s + part) AS relevant_by_label
RETURN fetched, relevant, 1.0 * relevant / fetched AS accuracy, relevant_by_label
ORDER BY fetched
