// title: The surface forms of all concepts of all ontologies
// internal: kg.papers
// returns: iri, label_zh, label_en, alt_zh, alt_en
MATCH (c:Concept)-[m:IN_ONTOLOGY]->(:Ontology)
RETURN DISTINCT c.iri AS iri, m.label_zh AS label_zh, m.label_en AS label_en, m.alt_zh AS alt_zh, m.alt_en AS alt_en
ORDER BY iri, label_zh, label_en
