// title: Everything above a concept
// answers: What is this concept a kind or part of, up to the root?
// param: concept text required IRI or label of the concept
// param: ontology text "" IRI of the ontology; empty: each of those that have the concept
// param: limit integer[1..1000000] 200 how many concepts
// returns: iri, label_zh, label_en, distance, ontologies
// example: concept=城市内涝
// cost: the concepts above, within one ontology at a time; ontologies are those of the ways
// needs: ontologies, in_ontology
MATCH (start:Concept)-[:IN_ONTOLOGY]->(o:Ontology)
WHERE (start.iri = $concept OR start.label_zh = $concept OR start.label_en IN [$concept, toLower($concept)])
  AND ($ontology = '' OR o.iri = $ontology)
MATCH way = (start)-[:SUBCLASS_OF|PART_OF*0.. {ontology: o.iri}]->(reached:Concept)
WITH start, o, reached, min(length(way)) AS distance
WHERE reached.iri <> start.iri
WITH reached, o.iri AS ontology, distance
ORDER BY reached.iri, ontology
WITH reached, min(distance) AS distance, collect(ontology) AS ontologies
RETURN reached.iri AS iri, reached.label_zh AS label_zh, reached.label_en AS label_en, distance, ontologies
ORDER BY distance, iri
LIMIT $limit
