// title: Remove the links of an ontology to the papers that it was learned from
// internal: kg.load
// param: ontology text required key of the ontology
// returns: id
MATCH (:Ontology {iri: $ontology})-[l:LEARNED_FROM]->(d:Document)
WITH l, d.id AS id
DELETE l
RETURN id
ORDER BY id
