// title: The weights of a topic as they were last derived
// answers: Which concepts steer a crawl on this topic, how strongly, and by which path from the root?
// formerly: topic/weights
// param: topic text "" name of the topic; empty: all
// param: limit integer[1..1000000] 50 how many weights
// returns: topic, ontology, concept, weight, distance number, density, depth number, coincidence, relation number, path
// example: limit=10
// cost: the weights of the topic
// needs: weights
MATCH (t:Topic)-[w:WEIGHTS]->(concept:Concept)
WHERE $topic = '' OR t.name = $topic
RETURN t.name AS topic, w.ontology AS ontology, concept.iri AS concept, w.weight AS weight, w.distance AS distance,
       w.density AS density, w.depth AS depth, w.coincidence AS coincidence, w.relation AS relation, w.path AS path
ORDER BY topic, ontology, weight DESC, concept
LIMIT $limit
