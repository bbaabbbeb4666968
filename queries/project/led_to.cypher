// title: Write which links were the first to show a page, where the links are there already
// internal: kg.project
// param: rows list required {source, target}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (a:Page {url: row.source})
MATCH (b:Page {url: row.target})
MERGE (b)<-[:LED_TO {crawl: $crawl}]-(a)
RETURN count(*) AS written
