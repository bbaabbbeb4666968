// title: The hosts of the pages that a crawl fetched or knows
// internal: kg.project
// param: crawl text required id of the crawl
// returns: host
MATCH (:Crawl {id: $crawl})-[:FETCHED|KNOWS]->(:Page)-[:ON_HOST]->(h:Host)
RETURN DISTINCT h.name AS host
ORDER BY host
