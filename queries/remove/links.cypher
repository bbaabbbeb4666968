// title: Remove the links that a crawl saw on some pages
// internal: kg.project
// param: crawl text required id of the crawl
// param: rows list required {url}
// returns: removed
UNWIND $rows AS row
MATCH (:Page {url: row.url})-[r:LINKS_TO|LED_TO]->(:Page)
WHERE r.crawl = $crawl
DELETE r
RETURN count(*) AS removed
