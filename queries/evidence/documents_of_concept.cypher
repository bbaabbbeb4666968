// title: The papers that contain a concept
// answers: Where is this concept from, and under which of its names?
// param: concept text required IRI or label of the concept
// param: limit integer[1..1000000] 30 how many papers
// returns: id, title, year, terms list, occurrences
// example: concept=城市内涝 limit=10
// cost: the papers that contain the concept; where no term was counted for it, the sentences of papers that name it
// needs: papers
MATCH (concept:Concept)
WHERE concept.iri = $concept OR concept.label_zh = $concept OR concept.label_en IN [$concept, toLower($concept)]
CALL (concept) {
  MATCH (concept)<-[:DENOTES]-(t:Term)<-[h:HAS_TERM]-(d:Document)
  RETURN d, t.text AS term, max(h.tf) AS tf
  UNION ALL
  MATCH (concept)<-[n:NAMES]-(s:Sentence)-[:IN_DOCUMENT]->(d:Document)
  WHERE NOT EXISTS { MATCH (concept)<-[:DENOTES]-(:Term)<-[:HAS_TERM]-(d) }
  RETURN d, toLower(substring(s.text, n.start, n.end - n.start)) AS term, count(*) AS tf
}
WITH d, term, sum(tf) AS tf
ORDER BY d.id, term
RETURN d.id AS id, d.title AS title, d.year AS year, collect(term) AS terms, sum(tf) AS occurrences
ORDER BY occurrences DESC, id
LIMIT $limit
