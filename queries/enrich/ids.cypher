// title: The ids of proposals, with their status
// internal: kg.enrich
// param: topic text required name of the topic; empty: all topics
// returns: id, status
MATCH (q:Proposal)
WHERE $topic = '' OR q.topic = $topic
RETURN q.id AS id, q.status AS status
ORDER BY id
