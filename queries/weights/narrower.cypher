// title: One level down: the classes directly below a set of classes
// internal: kg.weights
// param: rows list required {member, class} of the level
// param: ontology text required IRI of the ontology
// returns: class
UNWIND $rows AS row
MATCH (:Concept {iri: row.member})<-[r:SUBCLASS_OF|PART_OF]-(below:Concept)
WHERE r.ontology = $ontology
MATCH (below)-[n:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
WHERE n.class <> row.class
RETURN DISTINCT n.class AS class
ORDER BY class
