// title: Keep the shape of the hierarchy: class of equivalents, longest root path, number of direct children
// internal: kg.weights
// param: rows list required {iri, props}
// param: ontology text required IRI of the ontology
// returns: written
UNWIND $rows AS row
MATCH (c:Concept {iri: row.iri})-[m:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
SET m += row.props
RETURN count(*) AS written
