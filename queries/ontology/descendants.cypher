// title: Everything below a concept
// answers: Which subclasses and parts does this concept have, however far down?
// param: concept text required IRI or label of the concept
// param: ontology text "" IRI of the ontology; empty: each of those that have the concept
// param: limit integer[1..1000000] 200 how many concepts
// returns: iri, label_zh, label_en, distance, ontologies
// example: concept=次生灾害 limit=20
// cost: the concepts below, down to sixteen levels, within one ontology at a time; ontologies are those of the ways
// needs: ontologies, in_ontology
// none: nothing is below {concept}
MATCH (top:Concept)-[:IN_ONTOLOGY]->(o:Ontology)
WHERE (top.iri = $concept OR top.label_zh = $concept OR top.label_en IN [$concept, toLower($concept)])
  AND ($ontology = '' OR o.iri = $ontology)
MATCH way = (top)<-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]-(a:Concept)
WITH top, o, a, min(length(way)) AS to_a
MATCH way = (a)<-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]-(b:Concept)
WITH top, o, b, min(to_a + length(way)) AS to_b
MATCH way = (b)<-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]-(d:Concept)
WITH top, o, d, min(to_b + length(way)) AS to_d
MATCH way = (d)<-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]-(below:Concept)
WHERE below.iri <> top.iri
WITH below, o.iri AS ontology, min(to_d + length(way)) AS far
ORDER BY below.iri, ontology
WITH below, min(far) AS distance, collect(ontology) AS ontologies
RETURN below.iri AS iri, below.label_zh AS label_zh, below.label_en AS label_en, distance, ontologies
ORDER BY distance, iri
LIMIT $limit
