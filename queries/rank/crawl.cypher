// title: A crawl in the graph, with its seeds
// internal: kg.ranking.link_graph
// param: crawl text required id of the crawl
// returns: id, seeds
MATCH (c:Crawl {id: $crawl})
RETURN c.id AS id, c.seeds AS seeds
