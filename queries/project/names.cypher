// title: Write which concepts a sentence names, and where in it
// internal: kg.evidence
// param: rows list required {id, iri, start, end}
// returns: written
UNWIND $rows AS row
MATCH (s:Sentence {id: row.id})
MATCH (c:Concept {iri: row.iri})
MERGE (s)-[n:NAMES]->(c)
SET n.start = row.start, n.end = row.end
RETURN count(*) AS written
