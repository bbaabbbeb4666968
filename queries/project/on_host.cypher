// title: Write the host of each page
// internal: kg.project
// param: rows list required {url, host}
// returns: written
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (h:Host {name: row.host})
MERGE (p)-[:ON_HOST]->(h)
RETURN count(*) AS written
