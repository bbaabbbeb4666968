// title: The ontologies in the graph
// answers: Which ontologies and versions are here, how large are they, and how many papers are behind them?
// param: limit integer[1..1000000] 50 how many ontologies
// returns: ontology, series, kind, topic, version, title_zh, title_en, concepts, relations, depth, papers
// example: limit=10
// cost: every concept and relation once
// needs: ontologies
MATCH (o:Ontology)
OPTIONAL MATCH (o)<-[m:IN_ONTOLOGY]-(concept:Concept)
WITH o, count(concept) AS concepts, max(m.depth) AS depth
OPTIONAL MATCH (o)<-[:IN_ONTOLOGY]-(:Concept)-[r:SUBCLASS_OF|PART_OF|EQUIVALENT_TO|CAUSES|MEASURED_BY]->(:Concept)
WHERE r.ontology = o.iri
WITH o, concepts, depth, count(r) AS relations
OPTIONAL MATCH (o)-[:LEARNED_FROM]->(d:Document)
RETURN o.iri AS ontology, o.series AS series, o.kind AS kind, o.topic AS topic, o.version AS version,
       o.title_zh AS title_zh, o.title_en AS title_en, concepts, relations, depth, count(d) AS papers
ORDER BY ontology
LIMIT $limit
