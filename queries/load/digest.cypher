// title: What was loaded under the IRI of an ontology
// internal: kg.load
// param: iri text required IRI of the ontology
// returns: digest
MATCH (o:Ontology {iri: $iri})
RETURN o.digest AS digest
