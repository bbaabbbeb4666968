// title: The links that a crawl saw on some pages, with their properties
// internal: kg.project
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// returns: source, target, anchor, relevance, kind
UNWIND $urls AS url
MATCH (a:Page {url: url})-[r:LINKS_TO]->(b:Page)
WHERE r.crawl = $crawl
RETURN a.url AS source, b.url AS target, r.anchor AS anchor, r.relevance AS relevance, r.kind AS kind
ORDER BY source, target, anchor, relevance, kind
