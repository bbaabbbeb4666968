// title: The concepts that have another IRI in an ontology than in the graph
// internal: kg.joined
// returns: own, iri
MATCH (c:Concept)-[m:IN_ONTOLOGY]->(:Ontology)
WHERE m.iri <> c.iri
RETURN DISTINCT m.iri AS own, c.iri AS iri
ORDER BY own, iri
