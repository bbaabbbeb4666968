// title: Remove the weights that any topic took from an ontology
// internal: kg.load
// param: ontology text required IRI of the ontology
// returns: removed
MATCH (:Topic)-[w:WEIGHTS]->(:Concept)
WHERE w.ontology = $ontology
DELETE w
RETURN count(*) AS removed
