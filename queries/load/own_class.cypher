// title: Write the classes of formal concepts, in the lattice of an ontology's claims
// internal: kg.papers
// param: rows list required {id, iri}
// returns: written
UNWIND $rows AS row
MATCH (f:FormalConcept {id: row.id})
MATCH (c:Concept {iri: row.iri})
MERGE (f)-[:OWN_CLASS]->(c)
RETURN count(*) AS written
