// title: What each crawl says of the proposals of a topic, and how many of its pages are there with a sentence
// internal: kg.enrich
// param: topic text required name of the topic
// returns: id, status, crawl, rank, score, pages, shown, present, kind, relation, target, target_label, source, rule, reason
MATCH (q:Proposal {topic: $topic})
OPTIONAL MATCH (q)<-[s:PROPOSES]-(c:Crawl)
OPTIONAL MATCH (q)-[f:FOUND_IN]->(p:Page)
WHERE f.crawl = c.id
WITH q, s, c, count(p) AS present
RETURN q.id AS id, q.status AS status, c.id AS crawl, s.rank AS rank, s.score AS score, s.pages AS pages,
       s.shown AS shown, present, s.kind AS kind, s.relation AS relation, s.target AS target,
       s.target_label AS target_label, s.source AS source, s.rule AS rule, s.reason AS reason
ORDER BY id, crawl
