// title: The hosts on which a crawl found most
// answers: Where do relevant pages lie, and what share of the fetches there pays?
// param: crawl text newest id of the crawl
// param: least integer[1..] 1 least number of fetched pages of a host
// param: limit integer[1..1000000] 20 how many hosts
// returns: host, fetched, relevant integer, share, mean_relevance
// example: least=5
// cost: every page that the crawl fetched
// needs: crawl, fetched
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(:Page)-[:ON_HOST]->(h:Host)
WHERE f.relevance IS NOT NULL
WITH h.name AS host, count(*) AS fetched, sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant,
     round(avg(f.relevance), 6) AS mean_relevance
WHERE fetched >= $least
RETURN host, fetched, relevant, 1.0 * relevant / fetched AS share, mean_relevance
ORDER BY relevant DESC, share DESC, host
LIMIT $limit
