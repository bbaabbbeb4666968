// title: How a crawl came to a page
// answers: Over which links, from which seed, was this page found, and why was each one chosen?
// param: url text required URL of the page
// param: crawl text newest id of the crawl
// returns: hop, url, step, relevance, relevant, anchor, anchor_relevance, priority, evidence
// example: url=http://flood-news.example/info/126.html
// cost: the way back; LED_TO is a tree, so there is one
// needs: crawl, known_page
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[:FETCHED|KNOWS]->(p:Page {url: $url})
MATCH way = (p)<-[:LED_TO*0.. {crawl: c.id}]-(:Page)
WITH c, way
ORDER BY length(way) DESC
LIMIT 1
WITH c, [page IN nodes(way) | page.url] AS urls
WITH c, urls, size(urls) - 1 AS hops
UNWIND range(0, hops) AS hop
WITH c, hop, urls[hops - hop] AS url, CASE WHEN hop = 0 THEN '' ELSE urls[hops - hop + 1] END AS before
MATCH (page:Page {url: url})
OPTIONAL MATCH (:Page {url: before})-[link:LINKS_TO {crawl: c.id}]->(page)
OPTIONAL MATCH (page)<-[f:FETCHED]-(c)
OPTIONAL MATCH (page)<-[k:KNOWS]-(c)
RETURN hop, url, f.step AS step, f.relevance AS relevance, f.relevant AS relevant, link.anchor AS anchor,
       link.relevance AS anchor_relevance, coalesce(f.priority, k.priority) AS priority,
       coalesce(f.evidence, k.reason) AS evidence
ORDER BY hop
