// title: Terms that a crawl proposes for the ontology
// answers: Which terms do relevant pages use that the ontology lacks, and where would they hang?
// param: crawl text "" id of the crawl; empty: the newest one
// param: status text[proposed|accepted|rejected|] "proposed" of which proposals; empty: all
// param: limit integer[1..1000000] 50 how many proposals
// returns: term, kind, score, pages, under, status, page, sentence
// example: limit=10
// cost: the proposals of the crawl
// needs: crawl, proposals
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (q:Proposal)
WHERE q.crawl = c.id AND ($status = '' OR q.status = $status)
OPTIONAL MATCH (q)-[:UNDER]->(concept:Concept)
OPTIONAL MATCH (q)-[f:FOUND_IN]->(p:Page)
RETURN q.term AS term, q.kind AS kind, q.score AS score, q.pages AS pages,
       coalesce(concept.label_zh, concept.label_en) AS under, q.status AS status, p.url AS page, f.sentence AS sentence
ORDER BY score DESC, term
LIMIT $limit
