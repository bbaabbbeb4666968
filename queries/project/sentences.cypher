// title: Write sentences; equal ones are one node
// internal: kg.evidence
// param: rows list required {id, text, folded}: folded is the text in simplified characters, null where it is the same
// returns: written
UNWIND $rows AS row
MERGE (s:Sentence {id: row.id})
SET s.text = row.text, s.folded = row.folded
RETURN count(*) AS written
