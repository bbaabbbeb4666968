// title: Write papers
// internal: kg.papers
// param: rows list required {id, props}
// returns: written
UNWIND $rows AS row
MERGE (d:Document {id: row.id})
SET d += row.props
RETURN count(*) AS written
