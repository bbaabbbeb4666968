// title: How many papers ontologies were learned from, each paper once
// internal: kg.key_weights
// param: papers list required keys of the ontologies
// returns: papers
MATCH (o:Ontology)-[:LEARNED_FROM]->(d:Document)
WHERE o.iri IN $papers
RETURN count(DISTINCT d) AS papers
