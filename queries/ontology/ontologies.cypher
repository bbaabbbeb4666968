// title: The ontologies in the graph
// answers: Which ontologies and versions are here, and how large are they?
// param: limit integer[1..1000000] 50 how many ontologies
// returns: ontology, kind, topic, version, title_zh, title_en, concepts, relations, depth
// example: limit=10
// cost: every concept and relation once
MATCH (o:Ontology)
OPTIONAL MATCH (o)<-[m:IN_ONTOLOGY]-(concept:Concept)
WITH o, count(concept) AS concepts, max(m.depth) AS depth
OPTIONAL MATCH (o)<-[:IN_ONTOLOGY]-(:Concept)-[r:SUBCLASS_OF|PART_OF|EQUIVALENT_TO|CAUSES]->(:Concept)
WHERE r.ontology = o.iri
RETURN o.iri AS ontology, o.kind AS kind, o.topic AS topic, o.version AS version, o.title_zh AS title_zh,
       o.title_en AS title_en, concepts, count(r) AS relations, depth
ORDER BY ontology
LIMIT $limit
