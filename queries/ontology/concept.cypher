// title: A concept as each ontology has it
// answers: What is this concept called here, and what stands directly above, below and beside it?
// param: concept text required IRI or label of the concept
// returns: iri, ontology, label_zh, label_en, other_names, definition, broader list, narrower list, parts
// example: concept=城市内涝
// cost: the concept and its neighbours
// needs: ontologies
MATCH (concept:Concept)
WHERE concept.iri = $concept OR concept.label_zh = $concept OR concept.label_en IN [$concept, toLower($concept)]
MATCH (concept)-[m:IN_ONTOLOGY]->(o:Ontology)
OPTIONAL MATCH (concept)-[up:SUBCLASS_OF|PART_OF]->(above:Concept)
WHERE up.ontology = o.iri
WITH concept, m, o, above
ORDER BY above.iri
WITH concept, m, o,
     collect(DISTINCT coalesce(above.label_zh, above.label_en)) AS broader
OPTIONAL MATCH (concept)<-[down:SUBCLASS_OF|PART_OF]-(below:Concept)
WHERE down.ontology = o.iri
WITH concept, m, o, broader, below, type(down) AS kind
ORDER BY below.iri
WITH concept, m, o, broader,
     collect(DISTINCT CASE WHEN kind = 'SUBCLASS_OF' THEN coalesce(below.label_zh, below.label_en) END) AS narrower,
     collect(DISTINCT CASE WHEN kind = 'PART_OF' THEN coalesce(below.label_zh, below.label_en) END) AS parts
RETURN concept.iri AS iri, o.iri AS ontology, m.label_zh AS label_zh, m.label_en AS label_en,
       coalesce(m.alt_zh, []) + coalesce(m.alt_en, []) + coalesce(m.alt_other, []) AS other_names,
       concept.definition AS definition, broader, narrower, parts
ORDER BY iri, ontology
