// title: Concepts that no paper contains
// answers: Which concepts stand in an ontology without evidence from the corpus?
// param: ontology text "" IRI of the ontology; empty: all
// param: limit integer[1..1000000] 50 how many concepts
// returns: iri, label_zh, label_en, ontologies
// example: ontology=https://w3id.org/ontocrawl/rainstorm limit=10
// cost: every concept once
// needs: ontologies
MATCH (concept:Concept)-[:IN_ONTOLOGY]->(o:Ontology)
WHERE $ontology = '' OR o.iri = $ontology
WITH concept, o
ORDER BY concept.iri, o.iri
WITH concept, collect(o.iri) AS ontologies
WHERE NOT EXISTS { MATCH (concept)<-[:DENOTES|NAMES]-()-[:HAS_TERM|IN_DOCUMENT]-(:Document) }
RETURN concept.iri AS iri, concept.label_zh AS label_zh, concept.label_en AS label_en, ontologies
ORDER BY iri
LIMIT $limit
