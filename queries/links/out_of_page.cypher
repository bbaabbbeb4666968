// title: The links that a crawl saw on a page
// answers: What did this page lead to, and what became of each link?
// param: url text required URL of the page
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 100 how many links
// returns: url, anchor, anchor_relevance, step, relevance, relevant, waits
// example: url=http://qixiang.example/ limit=10
// cost: the links of the page
// needs: crawl, links
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (:Page {url: $url})-[l:LINKS_TO]->(p:Page)
WHERE l.crawl = c.id
OPTIONAL MATCH (p)<-[r:FETCHED|KNOWS]-(c)
RETURN p.url AS url, l.anchor AS anchor, l.relevance AS anchor_relevance, r.step AS step, r.relevance AS relevance,
       r.relevant AS relevant, r.reason AS waits
ORDER BY coalesce(step, 1000000000), url
LIMIT $limit
