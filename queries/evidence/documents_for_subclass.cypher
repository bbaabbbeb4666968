// title: Papers that speak for a subclass relation
// answers: Which papers contain both the narrower and the broader term?
// param: narrower text required IRI or label of the narrower concept
// param: broader text required IRI or label of the broader concept
// param: limit integer[1..1000000] 20 how many papers
// returns: id, title, year, narrower list, broader list, occurrences
// example: narrower=城市内涝 broader=内涝
// cost: the papers that contain the narrower term
// needs: papers
MATCH (a:Concept)
WHERE a.iri = $narrower OR a.label_zh = $narrower OR a.label_en IN [$narrower, toLower($narrower)]
MATCH (b:Concept)
WHERE b.iri = $broader OR b.label_zh = $broader OR b.label_en IN [$broader, toLower($broader)]
MATCH (a)<-[m:DENOTES|NAMES]-(s)-[x:HAS_TERM|IN_DOCUMENT]-(d:Document)
MATCH (d)-[y:HAS_TERM|IN_DOCUMENT]-(t)-[n:DENOTES|NAMES]->(b)
WITH d, CASE WHEN m.start IS NULL THEN s.text ELSE toLower(substring(s.text, m.start, m.end - m.start)) END AS narrow,
     CASE WHEN n.start IS NULL THEN t.text ELSE toLower(substring(t.text, n.start, n.end - n.start)) END AS broad,
     coalesce(x.tf, 1) AS narrower_tf, coalesce(y.tf, 1) AS broader_tf
ORDER BY d.id, narrow, broad
RETURN d.id AS id, d.title AS title, d.year AS year, collect(DISTINCT narrow) AS narrower,
       collect(DISTINCT broad) AS broader, max(narrower_tf) + max(broader_tf) AS occurrences
ORDER BY occurrences DESC, id
LIMIT $limit
