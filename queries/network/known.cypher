// title: The pages that a crawl knows and did not fetch, with their ranks and the reason
// internal: kg.networks
// param: crawl text required id of the crawl
// returns: url, host, props
MATCH (:Crawl {id: $crawl})-[k:KNOWS]->(p:Page)-[:ON_HOST]->(h:Host)
RETURN p.url AS url, h.name AS host, properties(k) AS props
