// title: The pages of a crawl that a link joins with one of some pages, fetched ones and high PageRanks first
// internal: kg.networks
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// param: limit integer required how many pages, those of urls included where links join them
// returns: url, fetched, pagerank
MATCH (c:Crawl {id: $crawl})
UNWIND $urls AS url
MATCH (:Page {url: url})-[l:LINKS_TO]-(q:Page)
WHERE l.crawl = $crawl
WITH DISTINCT c, q
MATCH (q)<-[r:FETCHED|KNOWS]-(c)
RETURN q.url AS url, type(r) = 'FETCHED' AS fetched, r.pagerank AS pagerank
ORDER BY fetched DESC, coalesce(pagerank, 0.0) DESC, url
LIMIT $limit
