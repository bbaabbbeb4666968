// title: Take out the links that a crawl saw on some pages, before they are written again
// internal: kg.project
// param: rows list required {source}
// param: crawl text required id of the crawl
// returns: pages
MATCH (c:Crawl {id: $crawl})
SET c.id = $crawl
WITH c
UNWIND $rows AS row
MATCH (a:Page {url: row.source})
OPTIONAL MATCH (a)-[r:LINKS_TO {crawl: $crawl}]->(:Page)
DELETE r
RETURN count(DISTINCT a.url) AS pages
