// title: The concepts of some ontologies, and how many of these have each
// internal: kg.networks
// param: ontologies list required keys of the ontologies
// returns: iri, ontologies integer, props
MATCH (o:Ontology)<-[:IN_ONTOLOGY]-(concept:Concept)
WHERE o.iri IN $ontologies
WITH concept, count(*) AS ontologies
RETURN concept.iri AS iri, ontologies, properties(concept) AS props
ORDER BY iri
