// title: The longest times that a crawl went without a find
// answers: When did it lose its way, and what brought it back?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 10 how many droughts
// returns: from_step, to_step, fetches, url, title
// example: limit=5
// cost: every relevant page of the crawl; url is the find that ended the drought
// needs: crawl, fetched, relevant
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevant
WITH p.url AS url, f.title AS title, f.step AS step
ORDER BY step
WITH collect(step) AS steps, collect(url) AS urls, collect(title) AS titles
UNWIND range(0, size(steps) - 1) AS i
WITH CASE WHEN i = 0 THEN 1 ELSE steps[i - 1] + 1 END AS from_step, steps[i] AS to_step, urls[i] AS url,
     titles[i] AS title
WHERE to_step > from_step
RETURN from_step, to_step, to_step - from_step AS fetches, url, title
ORDER BY fetches DESC, from_step
LIMIT $limit
