// title: The pages of a host as a crawl saw them
// answers: What was fetched there, what was left, and in which order?
// param: host text required name of the host
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 100 how many pages
// returns: url, step, title, relevance, relevant, label, failure, waits
// example: host=qixiang.example limit=10
// cost: the pages of the host
// needs: crawl
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (:Host {name: $host})<-[:ON_HOST]-(p:Page)<-[r:FETCHED|KNOWS]-(c)
RETURN p.url AS url, r.step AS step, r.title AS title, r.relevance AS relevance, r.relevant AS relevant,
       r.label AS label, r.failure AS failure, r.reason AS waits
ORDER BY coalesce(step, 1000000000), url
LIMIT $limit
