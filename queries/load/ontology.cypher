// title: Write the node of an ontology
// internal: kg.load
// param: iri text required IRI of the ontology
// param: props list required map of its properties
// returns: iri
MERGE (o:Ontology {iri: $iri})
SET o += $props
RETURN o.iri AS iri
