// title: The relations between concepts that some ontologies assert
// internal: kg.networks
// param: ontologies list required keys of the ontologies
// param: iris list required IRIs of the concepts at their start
// returns: source, target, relation, props
UNWIND $iris AS iri
MATCH (a:Concept {iri: iri})-[r:SUBCLASS_OF|PART_OF|EQUIVALENT_TO|CAUSES|MEASURED_BY]->(b:Concept)
WHERE r.ontology IN $ontologies
RETURN a.iri AS source, b.iri AS target, type(r) AS relation, properties(r) AS props
ORDER BY source, target, relation, r.ontology
