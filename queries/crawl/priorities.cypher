// title: Whether high priorities led to relevant pages
// answers: How good was the strategy's guess, from its surest to its least sure fetches?
// param: crawl text newest id of the crawl
// param: parts integer[2..100] 10 how many parts of equal size
// returns: part, highest, lowest, fetched, relevant integer, share
// example: parts=5
// cost: slow: every page that the crawl fetched, sorted by priority
// needs: crawl, fetched
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(:Page)
WHERE f.relevance IS NOT NULL AND f.priority IS NOT NULL
WITH f.priority AS priority, CASE WHEN f.relevant THEN 1 ELSE 0 END AS hit, f.step AS step
ORDER BY priority DESC, step
WITH collect(priority) AS priorities, collect(hit) AS hits
WITH priorities, hits, size(hits) AS n
UNWIND range(1, CASE WHEN n < $parts THEN n ELSE $parts END) AS part
WITH part, priorities, hits, n * (part - 1) / CASE WHEN n < $parts THEN n ELSE $parts END AS first,
     n * part / CASE WHEN n < $parts THEN n ELSE $parts END AS last
WITH part, priorities[first] AS highest, priorities[last - 1] AS lowest, last - first AS fetched,
     reduce(s = 0, hit IN hits[first..last] | s + hit) AS relevant
RETURN part, highest, lowest, fetched, relevant, 1.0 * relevant / fetched AS share
ORDER BY part
