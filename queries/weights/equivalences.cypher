// title: The equivalences that an ontology asserts
// internal: kg.weights
// param: ontology text required IRI of the ontology
// returns: one, other
MATCH (:Ontology {iri: $ontology})<-[:IN_ONTOLOGY]-(a:Concept)
MATCH (a)-[r:EQUIVALENT_TO]->(b:Concept)
WHERE r.ontology = $ontology
RETURN DISTINCT a.iri AS one, b.iri AS other
ORDER BY one, other
