// title: Write the concepts that proposed relations are about
// internal: kg.enrich
// param: rows list required {id, props: {about}}
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
MATCH (c:Concept {iri: row.props.about})
MERGE (q)-[:ABOUT]->(c)
RETURN count(*) AS written
