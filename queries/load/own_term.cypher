// title: Write the own terms of formal concepts (reduced labelling)
// internal: kg.papers
// param: rows list required {id, text}
// returns: written
UNWIND $rows AS row
MATCH (f:FormalConcept {id: row.id})
MATCH (t:Term {text: row.text})
MERGE (f)-[:OWN_TERM]->(t)
RETURN count(*) AS written
