// title: Write hosts
// internal: kg.project
// param: rows list required {name}
// returns: written
UNWIND $rows AS row
MERGE (h:Host {name: row.name})
RETURN count(*) AS written
