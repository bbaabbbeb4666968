// title: Write the weights of a topic
// internal: kg.weights
// param: rows list required {iri, ontology, props}
// param: topic text required name of the topic
// returns: written
UNWIND $rows AS row
MATCH (c:Concept {iri: row.iri})
MATCH (t:Topic {name: $topic})
MERGE (c)<-[w:WEIGHTS {ontology: row.ontology}]-(t)
SET w += row.props
RETURN count(*) AS written
