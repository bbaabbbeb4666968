// title: The ids of all proposals
// internal: kg.enrich
// returns: id
MATCH (q:Proposal)
WHERE q.topic IS NOT NULL
RETURN q.id AS id
ORDER BY id
