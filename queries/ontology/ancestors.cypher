// title: Everything above a concept
// answers: What is this concept a kind or part of, up to the root?
// param: concept text required IRI or label of the concept
// param: limit integer[1..1000000] 200 how many concepts
// returns: iri, label_zh, label_en, distance, ontologies
// example: concept=城市内涝
// cost: the concepts above, up to sixteen levels
MATCH (low:Concept)
WHERE low.iri = $concept OR low.label_zh = $concept OR low.label_en IN [$concept, toLower($concept)]
MATCH way = (low)-[:SUBCLASS_OF|PART_OF*0..4]->(a:Concept)
WITH low, a, min(length(way)) AS to_a
MATCH way = (a)-[:SUBCLASS_OF|PART_OF*0..4]->(b:Concept)
WITH low, b, min(to_a + length(way)) AS to_b
MATCH way = (b)-[:SUBCLASS_OF|PART_OF*0..4]->(d:Concept)
WITH low, d, min(to_b + length(way)) AS to_d
MATCH way = (d)-[:SUBCLASS_OF|PART_OF*0..4]->(above:Concept)
WHERE above.iri <> low.iri
WITH above, min(to_d + length(way)) AS distance
ORDER BY distance, above.iri
LIMIT $limit
MATCH (above)-[:IN_ONTOLOGY]->(o:Ontology)
WITH above, distance, o
ORDER BY o.iri
RETURN above.iri AS iri, above.label_zh AS label_zh, above.label_en AS label_en, distance,
       collect(o.iri) AS ontologies
ORDER BY distance, iri
