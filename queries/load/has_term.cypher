// title: Write which terms a paper contains, and how often
// internal: kg.papers
// param: rows list required {id, text, tf}
// param: ontology text required key of the ontology whose terms were counted
// returns: written
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
MATCH (t:Term {text: row.text})
MERGE (d)-[h:HAS_TERM {ontology: $ontology}]->(t)
SET h.tf = row.tf
RETURN count(*) AS written
