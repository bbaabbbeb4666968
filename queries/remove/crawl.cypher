// title: Remove the node of a crawl
// internal: kg.project
// param: crawl text required id of the crawl
// returns: removed
MATCH (c:Crawl {id: $crawl})
DETACH DELETE c
RETURN count(*) AS removed
