// title: A shortest way from one page to another over links
// answers: How far apart are two pages, and over which links that some crawl saw?
// param: source text required URL of the page to start from
// param: target text required URL of the page to arrive at
// returns: hop, url, anchor, title, relevance
// example: source=http://qixiang.example/ target=http://fangxun.example/2015/0418/22.html
// cost: all pages between the two, at most eight links apart; of several ways the first by its URLs
// needs: crawl
MATCH (a:Page {url: $source})
MATCH (b:Page {url: $target})
WHERE a.url <> b.url
MATCH way = allShortestPaths((a)-[:LINKS_TO*1..8]->(b))
WITH DISTINCT [page IN nodes(way) | page.url] AS urls
ORDER BY urls
LIMIT 1
UNWIND range(0, size(urls) - 1) AS hop
WITH hop, urls[hop] AS url, CASE WHEN hop = 0 THEN '' ELSE urls[hop - 1] END AS before
MATCH (page:Page {url: url})
OPTIONAL MATCH (:Page {url: before})-[l:LINKS_TO]->(page)
WITH hop, page, l
ORDER BY hop, l.crawl DESC
WITH hop, page, collect(l.anchor)[0] AS anchor
OPTIONAL MATCH (page)<-[f:FETCHED]-(c:Crawl)
WITH hop, page, anchor, f, c.id AS crawl
ORDER BY hop, crawl DESC
WITH hop, page, anchor, collect(f.title)[0] AS title, collect(f.relevance)[0] AS relevance
RETURN hop, page.url AS url, anchor, title, relevance
ORDER BY hop
