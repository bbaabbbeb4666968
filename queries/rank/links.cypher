// title: The links that a crawl saw on some pages, and which of them were the first to show a page
// internal: kg.ranking.link_graph
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// returns: source, kind, targets, relevances
UNWIND $urls AS url
MATCH (a:Page {url: url})-[r:LINKS_TO|LED_TO]->(b:Page)
WHERE r.crawl = $crawl
WITH url AS source, type(r) AS kind, b.url AS target, coalesce(r.relevance, 0.0) AS relevance
ORDER BY source, kind, target
RETURN source, kind, collect(target) AS targets, collect(relevance) AS relevances
ORDER BY source, kind
