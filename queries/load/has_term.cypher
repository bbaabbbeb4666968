// title: Write which terms a paper contains, and how often
// internal: kg.load
// param: rows list required {id, text, tf}
// returns: written
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
MATCH (t:Term {text: row.text})
MERGE (d)-[h:HAS_TERM]->(t)
SET h.tf = row.tf
RETURN count(*) AS written
