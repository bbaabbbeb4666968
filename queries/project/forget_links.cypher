// title: Take out links that a crawl saw, before those of their pages are written again
// internal: kg.project
// param: rows list required {source, target}
// param: crawl text required id of the crawl
// returns: removed
UNWIND $rows AS row
MATCH (b:Page {url: row.target})<-[r:LINKS_TO {crawl: $crawl}]-(a:Page)
WHERE a.url = row.source
DELETE r
RETURN count(*) AS removed
