// title: The subclass relations that the fewest papers support
// answers: Which learned relations should a person look at first?
// param: ontology text "" IRI of the ontology, of a learned one with or without its version; empty: all
// param: limit integer[1..1000000] 30 how many relations
// returns: narrower, broader, ontology, support, confidence, evidence
// example: ontology=https://w3id.org/ontocrawl/rainstorm/learned limit=10
// cost: every subclass relation once; those that no paper supports (the top of a curated hierarchy) are left out
// needs: ontologies, supported
MATCH (o:Ontology)
WHERE $ontology = '' OR o.iri = $ontology OR o.series = $ontology
MATCH (o)<-[:IN_ONTOLOGY]-(a:Concept)-[r:SUBCLASS_OF]->(b:Concept)
WHERE r.support > 0 AND r.ontology = o.iri
RETURN coalesce(a.label_zh, a.label_en) AS narrower,
       coalesce(b.label_zh, b.label_en) AS broader,
       r.ontology AS ontology, r.support AS support, r.confidence AS confidence, r.evidence AS evidence
ORDER BY support, confidence, a.iri, b.iri, ontology
LIMIT $limit
