// title: Write which papers an ontology was learned from
// internal: kg.papers
// param: rows list required {id}
// param: ontology text required key of the ontology
// returns: written
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
MATCH (o:Ontology {iri: $ontology})
MERGE (d)<-[:LEARNED_FROM]-(o)
RETURN count(*) AS written
