// title: How particular each class of an ontology is to the papers that it was learned from, or to the pages that it came from, and its weight by that
// internal: kg.key_weights
// param: rows list required {class, member, background, pages, of_pages}: a concept of the class, background papers with a label of it, relevant pages that showed it and all that were read
// param: ontology text required key of the ontology
// param: papers list required keys of the ontologies whose papers are counted
// param: background integer required number of background papers
// returns: class, documents, pages, background, key, weight
MATCH (o:Ontology)-[:LEARNED_FROM]->(d:Document)
WHERE o.iri IN $papers
WITH count(DISTINCT d) AS D
UNWIND $rows AS row
MATCH (:Concept {iri: row.member})-[m:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
UNWIND [coalesce(m.label_zh, ''), coalesce(m.label_en, '')] + coalesce(m.alt_zh, []) + coalesce(m.alt_en, []) AS form
OPTIONAL MATCH (t:Term {text: form})<-[h:HAS_TERM]-(d:Document)
WHERE h.ontology IN $papers
WITH D, row.class AS class, max(row.background) AS b_i, max(row.pages) AS p_i, max(row.of_pages) AS P,
     count(DISTINCT d) AS d_i
WITH class, d_i, b_i, CASE WHEN d_i = 0 THEN p_i ELSE 0 END AS p_i,
     CASE WHEN d_i > 0 THEN log((d_i + 0.5) / (D + 1.0)) - log((b_i + 0.5) / ($background + 1.0))
          WHEN p_i > 0 THEN log((p_i + 0.5) / (P + 1.0)) - log((b_i + 0.5) / ($background + 1.0))
          ELSE 0.0
     END AS excess
WITH class, d_i, b_i, p_i, CASE WHEN excess > 0.0 THEN excess ELSE 0.0 END AS key
WITH collect({class: class, d_i: d_i, b_i: b_i, p_i: p_i, key: key}) AS found, max(key) AS top
UNWIND found AS one
RETURN one.class AS class, one.d_i AS documents, one.p_i AS pages, one.b_i AS background, one.key AS key,
       CASE WHEN top = 0.0 THEN 0.0 ELSE (one.key / top) * (one.key / top) END AS weight
ORDER BY class
