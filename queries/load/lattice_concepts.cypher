// title: The formal concepts of a lattice with their properties
// internal: kg.papers
// param: lattice text required name of the lattice
// returns: context, id, ontology, stability, support
MATCH (f:FormalConcept {lattice: $lattice})
RETURN f.context AS context, f.id AS id, f.ontology AS ontology, f.stability AS stability, f.support AS support
ORDER BY id
