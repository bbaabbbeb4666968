// title: The concepts of all ontologies with their names, and the mappings that joined them
// internal: kg.joined
// returns: iri, own, ontology, topic, label_zh, label_en, alt_zh, alt_en, predicate, justification, confidence, match_string, match
MATCH (c:Concept)-[m:IN_ONTOLOGY]->(o:Ontology)
RETURN c.iri AS iri, coalesce(m.iri, c.iri) AS own, o.iri AS ontology, o.topic AS topic, m.label_zh AS label_zh,
       m.label_en AS label_en, m.alt_zh AS alt_zh, m.alt_en AS alt_en, m.predicate AS predicate,
       m.justification AS justification, m.confidence AS confidence, m.match_string AS match_string, m.match AS match
ORDER BY ontology, iri
