// title: The pages that some pages link to in a crawl
// internal: kg.project
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// returns: url
UNWIND $urls AS url
MATCH (:Page {url: url})-[r:LINKS_TO]->(b:Page)
WHERE r.crawl = $crawl
RETURN DISTINCT b.url AS url
ORDER BY url
