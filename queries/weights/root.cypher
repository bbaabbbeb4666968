// title: The root concept of an ontology
// internal: kg.weights
// param: ontology text required IRI of the ontology
// returns: root
MATCH (o:Ontology {iri: $ontology})
RETURN o.root AS root
