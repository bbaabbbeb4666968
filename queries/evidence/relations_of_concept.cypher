// title: All that ontologies say of a concept, with what speaks for it
// answers: On how many papers does each relation of this concept stand?
// param: concept text required IRI or label of the concept
// returns: narrower, relation, broader, ontology, support, confidence, evidence
// example: concept=城市内涝
// cost: the relations of the concept
// needs: ontologies
MATCH (concept:Concept)
WHERE concept.iri = $concept OR concept.label_zh = $concept OR concept.label_en IN [$concept, toLower($concept)]
MATCH (concept)-[r:SUBCLASS_OF|PART_OF|EQUIVALENT_TO|CAUSES|MEASURED_BY]-(other:Concept)
WITH startNode(r) AS a, r, endNode(r) AS b
RETURN coalesce(a.label_zh, a.label_en) AS narrower, type(r) AS relation,
       coalesce(b.label_zh, b.label_en) AS broader,
       r.ontology AS ontology, r.support AS support, r.confidence AS confidence, r.evidence AS evidence
ORDER BY relation, a.iri, b.iri, ontology
