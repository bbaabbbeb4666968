// title: The proposals of a topic by id, with their status
// internal: kg.enrich
// param: topic text required name of the topic
// returns: id, status
MATCH (q:Proposal {topic: $topic})
RETURN q.id AS id, q.status AS status
ORDER BY id
