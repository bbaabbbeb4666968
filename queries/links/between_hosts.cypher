// title: The links of a crawl between hosts
// answers: Which sites point to which, and how often to a relevant page?
// param: crawl text "" id of the crawl; empty: the newest one
// param: least integer[1..] 2 least number of links
// param: limit integer[1..1000000] 30 how many pairs of hosts
// returns: source, target, links, to_relevant
// example: limit=10
// cost: slow: every link of the crawl
// needs: crawl, attempted, links, several_hosts
// none: no link of {crawl} leads from one host to another
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[:FETCHED]->(:Page)-[:ON_HOST]->(a:Host)
WITH DISTINCT c, a
CALL (c, a) {
  MATCH (a)<-[:ON_HOST]-(p:Page)-[l:LINKS_TO]->(q:Page)-[:ON_HOST]->(b:Host)
  WHERE l.crawl = c.id AND a.name <> b.name
  OPTIONAL MATCH (q)<-[f:FETCHED]-(c)
  RETURN b.name AS target, count(*) AS links, sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS to_relevant
}
WITH a.name AS source, target, links, to_relevant
WHERE links >= $least
RETURN source, target, links, to_relevant
ORDER BY links DESC, source, target
LIMIT $limit
