// title: Where an ontology would grow
// answers: Under which concepts would the proposed terms hang, and how many are there?
// param: crawl text newest id of the crawl
// param: status text[proposed|accepted|rejected|] "proposed" of which proposals; empty: all
// param: limit integer[1..1000000] 30 how many concepts
// param: names integer[1..1000] 5 how many terms of each
// returns: iri, under, terms, best_score, examples
// lists: examples
// example: limit=10
// cost: the proposals of the crawl
// needs: crawl, proposals
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (q:Proposal)<-[s:PROPOSES]-(c)
WHERE q.kind = 'concept' AND ($status = '' OR q.status = $status)
MATCH (q)-[:UNDER]->(concept:Concept)
WITH concept, q, s
ORDER BY s.score DESC, q.id
RETURN concept.iri AS iri, coalesce(concept.label_zh, concept.label_en) AS under,
       count(*) AS terms,
       max(s.score) AS best_score, collect(q.term)[0..$names] AS examples
ORDER BY terms DESC, best_score DESC, iri
LIMIT $limit
