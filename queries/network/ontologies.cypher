// title: The keys of the ontologies that an IRI, with or without its version, or a topic names
// internal: kg.networks
// param: named text required IRI of an ontology or of a version, or name of a topic; empty: all
// returns: iri
MATCH (o:Ontology)
WHERE $named = '' OR o.iri = $named OR o.series = $named OR o.topic = $named
RETURN o.iri AS iri
ORDER BY iri
