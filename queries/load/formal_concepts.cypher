// title: Write formal concepts
// internal: kg.papers
// param: rows list required {id, props}
// returns: written
UNWIND $rows AS row
MERGE (f:FormalConcept {id: row.id})
SET f += row.props
RETURN count(*) AS written
