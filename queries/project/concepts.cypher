// title: Which of some concepts are in the graph
// internal: kg.project
// param: iris list required their IRIs
// returns: iri
UNWIND $iris AS iri
MATCH (c:Concept {iri: iri})
RETURN c.iri AS iri
ORDER BY iri
