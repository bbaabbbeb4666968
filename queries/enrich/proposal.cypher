// title: Write proposals; what is known of one already stays
// internal: kg.enrich
// param: rows list required {id, props}
// returns: written
UNWIND $rows AS row
MERGE (q:Proposal {id: row.id})
SET q += row.props
RETURN count(*) AS written
