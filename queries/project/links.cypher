// title: Write the links that a crawl saw
// internal: kg.project
// param: rows list required {source, target, props}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (a:Page {url: row.source})
MATCH (b:Page {url: row.target})
MERGE (a)-[r:LINKS_TO {crawl: $crawl}]->(b)
SET r += row.props
RETURN count(*) AS written
