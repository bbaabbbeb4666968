// title: Write terms
// internal: kg.papers
// param: rows list required {text, folded}: folded is the text in simplified characters, null where it is the same
// returns: written
UNWIND $rows AS row
MERGE (t:Term {text: row.text})
SET t.folded = row.folded
RETURN count(*) AS written
