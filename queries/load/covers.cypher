// title: Write the covers of a lattice, from the broader to the narrower formal concept
// internal: kg.papers
// param: rows list required {lower, upper}
// returns: written
UNWIND $rows AS row
MATCH (lower:FormalConcept {id: row.lower})
MATCH (upper:FormalConcept {id: row.upper})
MERGE (lower)<-[:COVERS]-(upper)
RETURN count(*) AS written
