// title: Everything above a concept
// answers: What is this concept a kind or part of, up to the root?
// param: concept text required IRI or label of the concept
// param: ontology text "" IRI of the ontology; empty: each of those that have the concept
// param: limit integer[1..1000000] 200 how many concepts
// returns: iri, label_zh, label_en, distance, ontologies
// example: concept=城市内涝
// cost: the concepts above, up to sixteen levels, within one ontology at a time; ontologies are those of the ways
// needs: ontologies, in_ontology
// none: nothing is above {concept}
MATCH (low:Concept)-[:IN_ONTOLOGY]->(o:Ontology)
WHERE (low.iri = $concept OR low.label_zh = $concept OR low.label_en IN [$concept, toLower($concept)])
  AND ($ontology = '' OR o.iri = $ontology)
MATCH way = (low)-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]->(a:Concept)
WITH low, o, a, min(length(way)) AS to_a
MATCH way = (a)-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]->(b:Concept)
WITH low, o, b, min(to_a + length(way)) AS to_b
MATCH way = (b)-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]->(d:Concept)
WITH low, o, d, min(to_b + length(way)) AS to_d
MATCH way = (d)-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]->(above:Concept)
WHERE above.iri <> low.iri
WITH above, o.iri AS ontology, min(to_d + length(way)) AS far
ORDER BY above.iri, ontology
WITH above, min(far) AS distance, collect(ontology) AS ontologies
RETURN above.iri AS iri, above.label_zh AS label_zh, above.label_en AS label_en, distance, ontologies
ORDER BY distance, iri
LIMIT $limit
