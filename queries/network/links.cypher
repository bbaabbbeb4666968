// title: The pages that the links of some pages lead to, as a crawl saw them, in no order
// internal: kg.networks
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// returns: source, targets
UNWIND $urls AS url
MATCH (a:Page {url: url})-[l:LINKS_TO]->(b:Page)
WHERE l.crawl = $crawl
RETURN a.url AS source, collect(b.url) AS targets
