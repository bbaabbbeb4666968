// title: Write pages
// internal: kg.project
// param: rows list required {url}
// returns: written
UNWIND $rows AS row
MERGE (p:Page {url: row.url})
RETURN count(*) AS written
