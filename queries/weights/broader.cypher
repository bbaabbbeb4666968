// title: The classes directly above each class of equivalent concepts
// internal: kg.weights
// param: rows list required {below, member, class}: class is that of below, member one of its concepts
// param: ontology text required IRI of the ontology
// returns: below, above
UNWIND $rows AS row
MATCH (:Concept {iri: row.member})-[r:SUBCLASS_OF|PART_OF]->(broader:Concept)
WHERE r.ontology = $ontology
MATCH (broader)-[n:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
WHERE n.class <> row.class
RETURN DISTINCT row.below AS below, n.class AS above
ORDER BY below, above
