// title: Everything below a concept
// answers: Which subclasses and parts does this concept have, however far down?
// param: concept text required IRI or label of the concept
// param: limit integer[1..1000000] 200 how many concepts
// returns: iri, label_zh, label_en, distance, ontologies
// example: concept=次生灾害 limit=20
// cost: the concepts below, down to sixteen levels
MATCH (top:Concept)
WHERE top.iri = $concept OR top.label_zh = $concept OR top.label_en IN [$concept, toLower($concept)]
MATCH way = (top)<-[:SUBCLASS_OF|PART_OF*0..4]-(a:Concept)
WITH top, a, min(length(way)) AS to_a
MATCH way = (a)<-[:SUBCLASS_OF|PART_OF*0..4]-(b:Concept)
WITH top, b, min(to_a + length(way)) AS to_b
MATCH way = (b)<-[:SUBCLASS_OF|PART_OF*0..4]-(d:Concept)
WITH top, d, min(to_b + length(way)) AS to_d
MATCH way = (d)<-[:SUBCLASS_OF|PART_OF*0..4]-(below:Concept)
WHERE below.iri <> top.iri
WITH below, min(to_d + length(way)) AS distance
ORDER BY distance, below.iri
LIMIT $limit
MATCH (below)-[:IN_ONTOLOGY]->(o:Ontology)
WITH below, distance, o
ORDER BY o.iri
RETURN below.iri AS iri, below.label_zh AS label_zh, below.label_en AS label_en, distance,
       collect(o.iri) AS ontologies
ORDER BY distance, iri
