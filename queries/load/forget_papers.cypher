// title: Remove the links of papers to the terms that an ontology counted in them
// internal: kg.load
// param: ontology text required key of the ontology
// returns: removed
MATCH (:Ontology {iri: $ontology})-[:LEARNED_FROM]->(:Document)-[h:HAS_TERM]->(:Term)
WHERE h.ontology = $ontology
DELETE h
RETURN count(*) AS removed
