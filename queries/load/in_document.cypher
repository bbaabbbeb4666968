// title: Write which sentences a paper has
// internal: kg.evidence
// param: rows list required {document, id, field, start, end}
// returns: written
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
MATCH (s:Sentence {id: row.id})
CREATE (s)-[:IN_DOCUMENT {field: row.field, start: row.start, end: row.end}]->(d)
RETURN count(*) AS written
