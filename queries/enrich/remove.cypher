// title: Remove proposals
// internal: kg.enrich
// param: rows list required {id}
// returns: removed
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
DETACH DELETE q
RETURN count(*) AS removed
