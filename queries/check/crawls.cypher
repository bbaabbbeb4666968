// title: The crawls in the graph, and whether each was written to its end
// internal: kg.health
// returns: crawl, complete
MATCH (c:Crawl)
RETURN c.id AS crawl, c.complete AS complete
ORDER BY crawl
