// title: The links that a crawl saw on some pages
// internal: kg.ranking.pagerank
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// returns: source, target, relevance
UNWIND $urls AS url
MATCH (a:Page {url: url})-[r:LINKS_TO]->(b:Page)
WHERE r.crawl = $crawl
RETURN a.url AS source, b.url AS target, r.relevance AS relevance
ORDER BY source, target
