// title: Write the FETCHED relationships of a crawl
// internal: kg.project
// param: rows list required {url, props}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (c:Crawl {id: $crawl})
MERGE (p)<-[r:FETCHED]-(c)
SET r += row.props
RETURN count(*) AS written
