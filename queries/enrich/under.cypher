// title: Write the concepts that proposals hang under
// internal: kg.enrich
// param: rows list required {id, under}
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
MATCH (c:Concept {iri: row.under})
MERGE (q)-[:UNDER]->(c)
RETURN count(*) AS written
