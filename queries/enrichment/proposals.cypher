// title: Terms, names and relations that a crawl proposes for the ontology
// answers: What do relevant pages say that the ontology lacks, where would it hang, and why?
// param: crawl text newest id of the crawl
// param: status text[proposed|accepted|rejected|] "proposed" of which proposals; empty: all
// param: kind text[concept|label|relation|] "" of which kind; empty: all
// param: limit integer[1..1000000] 50 how many proposals
// returns: id, term, kind, relation, score, pages, under, reason, status, page, sentence
// example: limit=10
// cost: the proposals of the crawl
// needs: crawl, proposals
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (q:Proposal)<-[s:PROPOSES]-(c)
WHERE ($status = '' OR q.status = $status) AND ($kind = '' OR s.kind = $kind)
OPTIONAL MATCH (q)-[:UNDER]->(concept:Concept)
OPTIONAL MATCH (q)-[f:FOUND_IN]->(p:Page)
WHERE f.crawl = c.id
WITH q, s, concept, f, p
ORDER BY q.id, f.rank
WITH q, s, concept, collect(p.url) AS pages_of_it, collect(f.sentence) AS sentences
RETURN q.id AS id, q.term AS term, s.kind AS kind, s.relation AS relation, s.score AS score, s.pages AS pages,
       coalesce(concept.label_zh, concept.label_en) AS under, s.reason AS reason,
       q.status AS status,
       pages_of_it[0] AS page, sentences[0] AS sentence
ORDER BY score DESC, id
LIMIT $limit
