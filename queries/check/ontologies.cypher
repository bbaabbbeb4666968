// title: The ontologies in the graph, with what was noted when each was loaded
// internal: kg.health
// returns: iri, topic, digest, papers
MATCH (o:Ontology)
RETURN o.iri AS iri, o.topic AS topic, o.digest AS digest, o.papers AS papers
ORDER BY iri
