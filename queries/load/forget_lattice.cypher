// title: Remove formal concepts of an older lattice of the same name
// internal: kg.papers
// param: rows list required {id}
// returns: removed
UNWIND $rows AS row
MATCH (f:FormalConcept {id: row.id})
DETACH DELETE f
RETURN count(*) AS removed
