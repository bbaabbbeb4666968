// title: Write the own documents of formal concepts (reduced labelling)
// internal: kg.papers
// param: rows list required {id, document}
// returns: written
UNWIND $rows AS row
MATCH (f:FormalConcept {id: row.id})
MATCH (d:Document {id: row.document})
MERGE (f)-[:OWN_DOCUMENT]->(d)
RETURN count(*) AS written
