// title: The root concept of an ontology, and which version of what it is
// internal: kg.weights
// param: ontology text required IRI of the ontology
// returns: root, series, version
MATCH (o:Ontology {iri: $ontology})
RETURN o.root AS root, coalesce(o.series, o.iri) AS series, o.version AS version
