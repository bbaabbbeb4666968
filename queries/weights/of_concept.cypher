// title: The weights of one concept in all topics and ontologies
// answers: Why does this concept weigh what it does, and where does it weigh more?
// param: concept text required IRI or label of the concept
// returns: concept, topic, ontology, weight, distance number, density, depth number, coincidence, relation number, path
// example: concept=城市内涝
// cost: the weights of the concept
// needs: weights
MATCH (concept:Concept)
WHERE concept.iri = $concept OR concept.label_zh = $concept OR concept.label_en IN [$concept, toLower($concept)]
MATCH (concept)<-[w:WEIGHTS]-(t:Topic)
RETURN concept.iri AS concept, t.name AS topic, w.ontology AS ontology, w.weight AS weight, w.distance AS distance,
       w.density AS density, w.depth AS depth, w.coincidence AS coincidence, w.relation AS relation, w.path AS path
ORDER BY concept, topic, ontology
