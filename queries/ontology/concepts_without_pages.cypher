// title: Concepts of an ontology that no page of a crawl names
// answers: Which part of the ontology did the crawl not reach, or which labels does nobody use?
// param: ontology text "" IRI of the ontology; empty: all
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 50 how many concepts
// returns: iri, label_zh, label_en, ontologies
// example: limit=10
// cost: every concept once
// needs: crawl, ontologies
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (concept:Concept)-[m:IN_ONTOLOGY]->(o:Ontology)
WHERE $ontology = '' OR o.iri = $ontology
WITH c, concept, o
WHERE NOT EXISTS { MATCH (concept)<-[n:MENTIONS]-(:Page) WHERE n.crawl = c.id }
WITH concept, o
ORDER BY concept.iri, o.iri
RETURN concept.iri AS iri, concept.label_zh AS label_zh, concept.label_en AS label_en, collect(o.iri) AS ontologies
ORDER BY iri
LIMIT $limit
