// title: The concepts that have a text as a label, or in one
// answers: Which concepts are called so, in any language, in how many ontologies and on how many pages?
// param: label text required a label, a synonym or a part of one, in any case and width, in either script of Chinese
// param: limit integer[1..1000000] 20 how many concepts
// returns: iri, label_zh, label_en, match, names, ontologies integer, pages
// example: label=flood limit=10
// cost: every name of every concept once; match says whether a name equals, begins with or contains the text
// needs: ontologies
MATCH (concept:Concept)-[m:IN_ONTOLOGY]->(o:Ontology)
WITH concept, o, [m.label_zh] + coalesce(m.alt_zh, []) + coalesce(m.alt_other, []) + [m.label_en]
                 + coalesce(m.alt_en, []) AS labels,
     coalesce(m.folded, []) AS folded, toLower(trim($label)) AS text
UNWIND range(0, size(labels) - 1) AS at
WITH concept, o, toString(labels[at]) AS name, text,
     toLower(toString(CASE WHEN at < size(folded) THEN folded[at] ELSE labels[at] END)) AS form
WHERE name IS NOT NULL AND form CONTAINS text
WITH concept, o, name, CASE WHEN form = text THEN 0 WHEN form STARTS WITH text THEN 1 ELSE 2 END AS distance
ORDER BY distance, size(name), name, o.iri
WITH concept, min(distance) AS distance, collect(DISTINCT name) AS names, count(DISTINCT o) AS ontologies
ORDER BY distance, size(names[0]), concept.iri
LIMIT $limit
OPTIONAL MATCH (concept)<-[:MENTIONS]-(p:Page)
WITH concept, distance, names, ontologies, count(DISTINCT p) AS pages
RETURN concept.iri AS iri, concept.label_zh AS label_zh, concept.label_en AS label_en,
       CASE distance WHEN 0 THEN 'equal' WHEN 1 THEN 'begins' ELSE 'contains' END AS match, names, ontologies, pages
ORDER BY distance, size(names[0]), iri
