// title: The ontologies that the graph has
// internal: kg.load
// returns: iri
MATCH (o:Ontology)
RETURN o.iri AS iri
ORDER BY iri
