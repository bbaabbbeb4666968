// title: The equivalences that an ontology asserts
// internal: kg.weights
// param: ontology text required IRI of the ontology
// returns: one, other
MATCH (o:Ontology {iri: $ontology})<-[:IN_ONTOLOGY]-(a:Concept)-[r:EQUIVALENT_TO]->(b:Concept)-[:IN_ONTOLOGY]->(o)
WHERE r.ontology = $ontology
RETURN DISTINCT a.iri AS one, b.iri AS other
ORDER BY one, other
