// title: Remove the weights that a topic took from an ontology
// internal: kg.weights
// param: topic text required name of the topic
// param: ontology text required IRI of the ontology
// returns: removed
MATCH (:Topic {name: $topic})-[w:WEIGHTS]->(:Concept)
WHERE w.ontology = $ontology
DELETE w
RETURN count(*) AS removed
