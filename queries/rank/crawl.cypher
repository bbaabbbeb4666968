// title: Whether a crawl is in the graph
// internal: kg.ranking.pagerank
// param: crawl text required id of the crawl
// returns: id
MATCH (c:Crawl {id: $crawl})
RETURN c.id AS id
