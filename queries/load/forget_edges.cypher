// title: Remove all relations that an ontology asserts
// internal: kg.load
// param: ontology text required IRI of the ontology
// returns: removed
MATCH (:Ontology {iri: $ontology})<-[:IN_ONTOLOGY]-(c:Concept)
MATCH (c)-[r:SUBCLASS_OF|PART_OF|EQUIVALENT_TO|CAUSES|MEASURED_BY]->(:Concept)
WHERE r.ontology = $ontology
DELETE r
RETURN count(*) AS removed
