// title: What the papers of an ontology were loaded with
// internal: kg.papers
// param: iri text required key of the ontology
// returns: papers
MATCH (o:Ontology {iri: $iri})
RETURN o.papers AS papers
