// title: Write which concept a term denotes
// internal: kg.papers
// param: rows list required {text, iri}
// returns: written
UNWIND $rows AS row
MATCH (t:Term {text: row.text})
MATCH (c:Concept {iri: row.iri})
MERGE (t)-[:DENOTES]->(c)
RETURN count(*) AS written
