// title: The pages that a crawl fetched or knows
// internal: kg.project
// param: crawl text required id of the crawl
// returns: url
MATCH (:Crawl {id: $crawl})-[:FETCHED|KNOWS]->(p:Page)
RETURN p.url AS url
