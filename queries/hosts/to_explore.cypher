// title: Hosts with much that a crawl left unfetched
// answers: Where would more fetches pay, by what the host gave so far?
// param: crawl text newest id of the crawl
// param: least integer[1..] 1 least number of unfetched pages of a host
// param: limit integer[1..1000000] 20 how many hosts
// returns: host, unfetched, best_priority, fetched, relevant integer, share
// example: least=5 limit=10
// cost: every page that the crawl fetched or knows
// needs: crawl, known
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[r:FETCHED|KNOWS]->(:Page)-[:ON_HOST]->(h:Host)
WITH h.name AS host, sum(CASE WHEN type(r) = 'KNOWS' THEN 1 ELSE 0 END) AS unfetched,
     max(CASE WHEN type(r) = 'KNOWS' THEN r.priority END) AS best_priority, count(r.relevance) AS fetched,
     sum(CASE WHEN r.relevant THEN 1 ELSE 0 END) AS relevant
WHERE unfetched >= $least
RETURN host, unfetched, best_priority, fetched, relevant,
       CASE WHEN fetched = 0 THEN 0.0 ELSE 1.0 * relevant / fetched END AS share
ORDER BY share DESC, unfetched DESC, host
LIMIT $limit
