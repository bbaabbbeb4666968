// title: Remove sentences that no page and no paper has
// internal: kg.evidence
// param: rows list required {id}
// returns: removed
UNWIND $rows AS row
MATCH (s:Sentence {id: row.id})
WHERE NOT EXISTS { MATCH (s)-[:ON_PAGE]->(:Page) } AND NOT EXISTS { MATCH (s)-[:IN_DOCUMENT]->(:Document) }
DETACH DELETE s
RETURN count(*) AS removed
