// title: Write sentences; equal ones are one node
// internal: kg.evidence
// param: rows list required {id, text}
// returns: written
UNWIND $rows AS row
MERGE (s:Sentence {id: row.id})
SET s.text = row.text
RETURN count(*) AS written
