// title: Concepts that weigh differently in the global and in a local ontology
// answers: What does a local view of the topic stress that the global one does not?
// param: topic text "" name of the topic; empty: all
// param: limit integer[1..1000000] 30 how many concepts
// returns: topic, iri, label_zh, label_en, local, global_weight, local_weight, difference
// example: limit=10
// cost: the weights of the topic
// needs: weights, local_ontology
MATCH (t:Topic)-[w:WEIGHTS]->(concept:Concept)
WHERE $topic = '' OR t.name = $topic
MATCH (wide:Ontology {iri: w.ontology})
WHERE wide.kind = 'global'
WITH t, concept, max(w.weight) AS global_weight
MATCH (t)-[v:WEIGHTS]->(concept)
MATCH (near:Ontology {iri: v.ontology})
WHERE near.kind = 'local'
RETURN t.name AS topic, concept.iri AS iri, concept.label_zh AS label_zh, concept.label_en AS label_en,
       near.iri AS local, global_weight, v.weight AS local_weight, v.weight - global_weight AS difference
ORDER BY abs(round(difference, 9)) DESC, topic, iri, local
LIMIT $limit
