// title: The sentences of the papers that ontologies were learned from, in reading order
// internal: kg.papers
// param: papers list required keys of the ontologies
// returns: document, field, start, text
MATCH (o:Ontology)-[:LEARNED_FROM]->(d:Document)
WHERE o.iri IN $papers
WITH DISTINCT d
MATCH (s:Sentence)-[r:IN_DOCUMENT]->(d)
RETURN d.id AS document, r.field AS field, r.start AS start, s.text AS text
ORDER BY document, field, start
