// title: Note that the papers of an ontology are not all in the graph
// internal: kg.load
// param: ontology text required key of the ontology
// returns: iri
MATCH (o:Ontology {iri: $ontology})
SET o.papers = ''
RETURN o.iri AS iri
