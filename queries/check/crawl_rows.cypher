// title: Numbers of the relationships of a crawl
// internal: kg.health
// param: crawl text required id of the crawl
// returns: kind, rows
MATCH (c:Crawl {id: $crawl})-[r:FETCHED|KNOWS]->(p:Page)
RETURN type(r) AS kind, count(r) AS rows
ORDER BY kind
