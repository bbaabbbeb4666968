// title: Remove the mentions that a crawl saw on some pages
// internal: kg.project
// param: crawl text required id of the crawl
// param: rows list required {url}
// returns: removed
UNWIND $rows AS row
MATCH (:Page {url: row.url})-[m:MENTIONS]->(:Concept)
WHERE m.crawl = $crawl
DELETE m
RETURN count(*) AS removed
