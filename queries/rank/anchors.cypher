// title: The pages that a crawl read, with the anchor texts of the links to them
// internal: kg.ranking.link_graph
// param: crawl text required id of the crawl
// returns: url, relevant, anchors
MATCH (:Crawl {id: $crawl})-[f:FETCHED]->(p:Page)
WHERE f.relevance IS NOT NULL
OPTIONAL MATCH (p)<-[l:LINKS_TO {crawl: $crawl}]-(:Page)
WHERE l.anchor <> ''
WITH p, f, collect(DISTINCT l.anchor) AS anchors
RETURN p.url AS url, coalesce(f.relevant, false) AS relevant, anchors
ORDER BY url
