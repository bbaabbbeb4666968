// title: Concepts that several ontologies share, and why they are one
// answers: Which concepts are one in several ontologies, by which mapping, and how certain is it?
// param: about text "" IRI or label of the concept; empty: all
// param: limit integer[1..1000000] 50 how many memberships
// returns: concept, iri, ontology, label_zh, own_iri, predicate, justification, match, match_string, confidence
// example: limit=10
// cost: every concept of every ontology once
// needs: ontologies, several_ontologies
MATCH (concept:Concept)-[m:IN_ONTOLOGY]->(o:Ontology)
WHERE $about = '' OR concept.iri = $about OR concept.label_zh = $about
   OR concept.label_en IN [$about, toLower($about)]
MATCH (concept)-[:IN_ONTOLOGY]->(other)
WHERE other.iri <> o.iri
WITH DISTINCT concept, m, o
RETURN coalesce(concept.label_zh, concept.label_en) AS concept,
       concept.iri AS iri, o.iri AS ontology,
       m.label_zh AS label_zh, coalesce(m.iri, concept.iri) AS own_iri,
       m.predicate AS predicate, m.justification AS justification, coalesce(m.match, 'equal IRIs') AS match,
       m.match_string AS match_string, m.confidence AS confidence
ORDER BY iri, ontology
LIMIT $limit
