// title: Write concepts with their newest labels
// internal: kg.load
// param: rows list required {iri, props}
// returns: written
UNWIND $rows AS row
MERGE (c:Concept {iri: row.iri})
SET c += row.props
RETURN count(*) AS written
