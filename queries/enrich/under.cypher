// title: Write the parents of proposed terms, the classes of names, and the ends of relations
// internal: kg.enrich
// param: rows list required {id, props: {under}}
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
MATCH (c:Concept {iri: row.props.under})
MERGE (q)-[:UNDER]->(c)
RETURN count(*) AS written
