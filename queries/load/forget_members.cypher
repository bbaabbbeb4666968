// title: Take concepts out of an ontology
// internal: kg.load
// param: ontology text required IRI of the ontology
// param: keep list required IRIs of the concepts that stay
// returns: iri
MATCH (:Ontology {iri: $ontology})<-[m:IN_ONTOLOGY]-(c:Concept)
WHERE NOT c.iri IN $keep
WITH m, c.iri AS iri
DELETE m
RETURN iri
ORDER BY iri
