// title: The links of a crawl between hosts
// answers: Which sites point to which, and how often to a relevant page?
// param: crawl text newest id of the crawl
// param: least integer[1..] 2 least number of links
// param: limit integer[1..1000000] 30 how many pairs of hosts
// returns: source, target, links, to_relevant
// example: limit=10
// stored: link figures
// cost: every pair of hosts with links from one to the other, whose number is stored
// needs: crawl, attempted, links, several_hosts
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (a:Host)-[l:LINKS_TO_HOST]->(b:Host)
WHERE l.crawl = c.id AND l.links >= $least
RETURN a.name AS source, b.name AS target, l.links AS links, l.to_relevant AS to_relevant
ORDER BY links DESC, source, target
LIMIT $limit
