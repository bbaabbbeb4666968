// title: Write the status of proposals
// internal: kg.enrich
// param: rows list required {id, status}
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
SET q.status = row.status
RETURN count(*) AS written
