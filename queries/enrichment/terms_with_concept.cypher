// title: New terms on the relevant pages that name a concept
// answers: Which words occur with this concept on relevant pages and are not in the ontology?
// param: concept text required IRI or label of the concept
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 30 how many terms
// returns: term, score, pages, kind, status, under, page, sentence
// example: concept=暴雨 limit=10
// cost: the proposals of the crawl
// needs: crawl, proposals, mentioned
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (concept:Concept)
WHERE concept.iri = $concept OR concept.label_zh = $concept OR concept.label_en IN [$concept, toLower($concept)]
MATCH (q:Proposal)<-[s:PROPOSES]-(c)
WHERE q.kind <> 'relation'
MATCH (q)-[found:FOUND_IN]->(p:Page)
WHERE found.crawl = c.id
MATCH (p)<-[f:FETCHED]-(c)
WHERE f.relevant
MATCH (p)-[m:MENTIONS]->(concept)
WHERE m.crawl = c.id
OPTIONAL MATCH (q)-[:UNDER]->(broader:Concept)
WITH q, s, broader, found, p
ORDER BY q.id, found.rank
WITH q, s, broader, collect(p.url) AS pages_of_it, collect(found.sentence) AS sentences
RETURN q.term AS term, s.score AS score, s.pages AS pages, q.kind AS kind, q.status AS status,
       coalesce(broader.label_zh, broader.label_en) AS under,
       pages_of_it[0] AS page, sentences[0] AS sentence
ORDER BY score DESC, term
LIMIT $limit
