// title: The concepts of an ontology with its labels and the cached shape of the hierarchy
// internal: kg.weights
// param: ontology text required IRI of the ontology
// returns: iri, own, label_zh, label_en, alt_zh, alt_en, class, depth, children
MATCH (:Ontology {iri: $ontology})<-[m:IN_ONTOLOGY]-(c:Concept)
RETURN c.iri AS iri, coalesce(m.iri, c.iri) AS own, m.label_zh AS label_zh, m.label_en AS label_en,
       m.alt_zh AS alt_zh, m.alt_en AS alt_en, m.class AS class, m.depth AS depth, m.children AS children
ORDER BY iri
