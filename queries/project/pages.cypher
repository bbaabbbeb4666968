// title: Write pages and their hosts' relationships
// internal: kg.project
// param: rows list required {url, host}: the hosts are in the graph
// returns: written
UNWIND $rows AS row
MATCH (h:Host {name: row.host})
MERGE (p:Page {url: row.url})
MERGE (p)-[:ON_HOST]->(h)
RETURN count(*) AS written
