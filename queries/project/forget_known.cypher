// title: Pages that have been fetched are no longer only known
// internal: kg.project
// param: rows list required {url}
// param: crawl text required id of the crawl
// returns: removed
UNWIND $rows AS row
MATCH (:Page {url: row.url})<-[k:KNOWS]-(:Crawl {id: $crawl})
DELETE k
RETURN count(*) AS removed
