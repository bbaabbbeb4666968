// title: Concepts with more than one broader class
// answers: Where is the hierarchy no tree?
// param: ontology text "" IRI of the ontology; empty: all
// param: limit integer[1..1000000] 50 how many concepts
// returns: iri, label_zh, label_en, ontology, parents
// example: limit=10
// cost: every subclass relation once
// needs: ontologies
MATCH (concept:Concept)-[r:SUBCLASS_OF]->(parent:Concept)
WHERE $ontology = '' OR r.ontology = $ontology
WITH concept, r.ontology AS ontology,
     coalesce(parent.label_zh, parent.label_en) AS label, parent.iri AS above
ORDER BY concept.iri, ontology, above
WITH concept, ontology, collect(label) AS parents
WHERE size(parents) > 1
RETURN concept.iri AS iri, concept.label_zh AS label_zh, concept.label_en AS label_en, ontology, parents
ORDER BY size(parents) DESC, iri, ontology
LIMIT $limit
