// title: The papers that contain a concept
// answers: Where is this concept from, and under which of its names?
// param: concept text required IRI or label of the concept
// param: limit integer[1..1000000] 30 how many papers
// returns: id, title, year, terms list, occurrences
// example: concept=城市内涝 limit=10
// cost: the papers that contain the concept
// needs: papers
MATCH (concept:Concept)
WHERE concept.iri = $concept OR concept.label_zh = $concept OR concept.label_en IN [$concept, toLower($concept)]
MATCH (concept)<-[:DENOTES]-(t:Term)<-[h:HAS_TERM]-(d:Document)
WITH d, t, max(h.tf) AS tf
ORDER BY d.id, t.text
RETURN d.id AS id, d.title AS title, d.year AS year, collect(t.text) AS terms, sum(tf) AS occurrences
ORDER BY occurrences DESC, id
LIMIT $limit
