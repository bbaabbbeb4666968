// title: Number of the links of a crawl
// internal: kg.health
// param: crawl text required id of the crawl
// returns: rows
MATCH (:Crawl {id: $crawl})-[:FETCHED]->(p:Page)-[r:LINKS_TO]->(:Page)
WHERE r.crawl = $crawl
RETURN count(r) AS rows
