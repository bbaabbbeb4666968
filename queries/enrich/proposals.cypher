// title: The proposals of a topic
// internal: kg.enrich
// param: topic text required name of the topic
// returns: id, status, term, kind, relation, target, target_label, source, rule, reason, score, pages
MATCH (q:Proposal {topic: $topic})
RETURN q.id AS id, q.status AS status, q.term AS term, q.kind AS kind, q.relation AS relation, q.target AS target,
       q.target_label AS target_label, q.source AS source, q.rule AS rule, q.reason AS reason, q.score AS score,
       q.pages AS pages
ORDER BY score DESC, id
