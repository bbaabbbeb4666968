// title: Write proposals; a reviewed one keeps its status
// internal: kg.enrich
// param: rows list required {id, status, props}
// returns: written
UNWIND $rows AS row
MERGE (q:Proposal {id: row.id})
ON CREATE SET q.status = row.status
SET q += row.props
RETURN count(*) AS written
