// title: Remove hosts without pages
// internal: kg.project
// param: rows list required {name}
// returns: removed
UNWIND $rows AS row
MATCH (h:Host {name: row.name})
WHERE NOT EXISTS { MATCH (h)<-[:ON_HOST]-(:Page) }
DETACH DELETE h
RETURN count(*) AS removed
