// title: The pages that a crawl fetched without failure, with all that it saw of them
// internal: kg.networks
// param: crawl text required id of the crawl
// returns: url, host, props
MATCH (:Crawl {id: $crawl})-[f:FETCHED]->(p:Page)-[:ON_HOST]->(h:Host)
WHERE f.failure IS NULL
RETURN p.url AS url, h.name AS host, properties(f) AS props
