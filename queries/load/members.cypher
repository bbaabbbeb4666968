// title: Put concepts into an ontology, with the labels that it gives them
// internal: kg.load
// param: rows list required {iri, props}
// param: ontology text required IRI of the ontology
// returns: written
UNWIND $rows AS row
MATCH (c:Concept {iri: row.iri})
MATCH (o:Ontology {iri: $ontology})
MERGE (c)-[m:IN_ONTOLOGY]->(o)
SET m += row.props
RETURN count(*) AS written
