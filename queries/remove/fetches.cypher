// title: Remove what ties some pages to a crawl
// internal: kg.project
// param: crawl text required id of the crawl
// param: rows list required {url}
// returns: removed
UNWIND $rows AS row
MATCH (:Page {url: row.url})<-[f:FETCHED|KNOWS]-(:Crawl {id: $crawl})
DELETE f
RETURN count(*) AS removed
