// title: Write papers
// internal: kg.load
// param: rows list required {id, props}
// returns: written
UNWIND $rows AS row
MERGE (d:Document {id: row.id})
SET d += row.props
RETURN count(*) AS written
