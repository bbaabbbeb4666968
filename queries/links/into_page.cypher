// title: The links of a crawl to a page
// answers: Who links to this page, with which words, and were those pages relevant?
// param: url text required URL of the page
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 50 how many links
// returns: url, anchor, anchor_relevance, relevance, relevant, step
// example: url=http://qixiang.example/ limit=10
// cost: the links to the page
// needs: crawl, links
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (:Page {url: $url})<-[l:LINKS_TO]-(p:Page)
WHERE l.crawl = c.id
MATCH (p)<-[f:FETCHED]-(c)
RETURN p.url AS url, l.anchor AS anchor, l.relevance AS anchor_relevance, f.relevance AS relevance,
       f.relevant AS relevant, f.step AS step
ORDER BY step, url
LIMIT $limit
