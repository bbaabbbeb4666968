// title: Names that several concepts share
// answers: Which words do not say which concept is meant?
// param: ontology text "" IRI of the ontology; empty: all together
// param: limit integer[1..1000000] 30 how many names
// returns: name, concepts, iris
// example: limit=10
// cost: every concept of every ontology once, with all its names
// needs: ontologies
MATCH (concept:Concept)-[m:IN_ONTOLOGY]->(o:Ontology)
WHERE $ontology = '' OR o.iri = $ontology
UNWIND coalesce(m.folded, [m.label_zh] + coalesce(m.alt_zh, []) + coalesce(m.alt_other, []))
       + [m.label_en] + coalesce(m.alt_en, []) AS form
WITH DISTINCT toLower(form) AS name, concept.iri AS iri
WHERE name <> ''
WITH name, iri
ORDER BY name, iri
WITH name, collect(iri) AS iris
WHERE size(iris) > 1
RETURN name, size(iris) AS concepts, iris
ORDER BY concepts DESC, name
LIMIT $limit
