// title: The pages that a crawl fetched or knows, with their relevance and the ranks that they have
// internal: kg.ranking.pagerank
// param: crawl text required id of the crawl
// returns: url, relevance, pagerank, hub
MATCH (:Crawl {id: $crawl})-[r:FETCHED|KNOWS]->(p:Page)
RETURN p.url AS url, max(r.relevance) AS relevance, max(r.pagerank) AS pagerank, max(r.hub) AS hub
ORDER BY url
