// title: How two ontologies or versions differ
// answers: Which concepts were added, removed or renamed from one to the other?
// param: older text required IRI of the older ontology, of a learned one with or without its version
// param: newer text required IRI of the newer ontology, of a learned one with or without its version
// param: limit integer[1..1000000] 200 how many differences
// returns: change, iri, before, after
// example: older=https://w3id.org/ontocrawl/rainstorm newer=https://w3id.org/ontocrawl/rainstorm/learned limit=20
// cost: every concept of the two
// needs: ontologies
MATCH (first:Ontology)
WHERE first.iri = $older OR first.series = $older
WITH max(coalesce(first.iri, '')) AS older
MATCH (second:Ontology)
WHERE second.iri = $newer OR second.series = $newer
WITH older, max(coalesce(second.iri, '')) AS newer
MATCH (o:Ontology)<-[:IN_ONTOLOGY]-(concept:Concept)
WHERE o.iri IN [older, newer]
WITH DISTINCT older, newer, concept
OPTIONAL MATCH (concept)-[x:IN_ONTOLOGY]->(:Ontology {iri: older})
OPTIONAL MATCH (concept)-[y:IN_ONTOLOGY]->(:Ontology {iri: newer})
WITH concept.iri AS iri, x IS NOT NULL AS was, y IS NOT NULL AS stays,
     coalesce(x.label_zh, '') + ' / ' + coalesce(x.label_en, '') AS before,
     coalesce(y.label_zh, '') + ' / ' + coalesce(y.label_en, '') AS after
WHERE was <> stays OR before <> after
RETURN CASE WHEN NOT was THEN 'added' WHEN NOT stays THEN 'removed' ELSE 'renamed' END AS change, iri,
       CASE WHEN was THEN before END AS before, CASE WHEN stays THEN after END AS after
ORDER BY change, iri
LIMIT $limit
