// title: Number of fetched pages of a crawl without PageRank
// internal: kg.health
// param: crawl text required id of the crawl
// returns: pages
MATCH (c:Crawl {id: $crawl})-[f:FETCHED]->(p:Page)
WHERE f.pagerank IS NULL
RETURN count(f) AS pages
