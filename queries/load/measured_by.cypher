// title: Write the MEASURED_BY relations of an ontology
// internal: kg.load
// param: rows list required {source, target, props}
// param: ontology text required IRI of the ontology
// returns: written
UNWIND $rows AS row
MATCH (a:Concept {iri: row.source})
MATCH (b:Concept {iri: row.target})
MERGE (a)-[r:MEASURED_BY {ontology: $ontology}]->(b)
SET r += row.props
RETURN count(*) AS written
