// title: Write terms
// internal: kg.papers
// param: rows list required {text}
// returns: written
UNWIND $rows AS row
MERGE (t:Term {text: row.text})
RETURN count(*) AS written
