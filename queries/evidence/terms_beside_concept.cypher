// title: The terms of the papers that contain a concept
// answers: Which words go with this concept, and which of them are no concept of the ontology yet?
// param: concept text required IRI or label of the concept
// param: ontology text "" IRI of the ontology that should have them; empty: any
// param: limit integer[1..1000000] 30 how many terms
// returns: term, documents, share, occurrences, in_ontology
// example: concept=城市内涝 ontology=https://w3id.org/ontocrawl/rainstorm limit=10
// cost: the papers that contain the concept
// needs: papers
MATCH (concept:Concept)
WHERE concept.iri = $concept OR concept.label_zh = $concept OR concept.label_en IN [$concept, toLower($concept)]
OPTIONAL MATCH (concept)<-[:DENOTES]-(own:Term)
WITH concept, collect(own.text) AS names
MATCH (concept)<-[:DENOTES|NAMES]-()-[:HAS_TERM|IN_DOCUMENT]-(d:Document)
WITH names, collect(DISTINCT d) AS papers
UNWIND papers AS d
MATCH (d)-[h:HAS_TERM]->(t:Term)
WHERE NOT t.text IN names
WITH d, t, size(papers) AS all, max(h.tf) AS tf
WITH t, all, count(*) AS documents, sum(tf) AS occurrences
ORDER BY documents DESC, occurrences DESC, t.text
LIMIT $limit
RETURN t.text AS term, documents, 1.0 * documents / all AS share, occurrences,
       EXISTS {
         MATCH (t)-[:DENOTES]->(:Concept)-[:IN_ONTOLOGY]->(o:Ontology) WHERE $ontology = '' OR o.iri = $ontology
       } AS in_ontology
ORDER BY documents DESC, occurrences DESC, term
