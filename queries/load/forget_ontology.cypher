// title: Remove an ontology that has no concepts any more
// internal: kg.load
// param: iri text required IRI of the ontology
// returns: removed
MATCH (o:Ontology {iri: $iri})
WHERE NOT EXISTS { MATCH (o)<-[:IN_ONTOLOGY]-(:Concept) }
DELETE o
RETURN count(*) AS removed
