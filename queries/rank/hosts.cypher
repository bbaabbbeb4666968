// title: The hosts of some pages
// internal: kg.ranking.link_graph
// param: urls list required URLs of the pages
// returns: url, host
UNWIND $urls AS url
MATCH (p:Page {url: url})-[:ON_HOST]->(h:Host)
RETURN p.url AS url, h.name AS host
ORDER BY url, host
