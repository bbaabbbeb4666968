// title: The formal concepts of a lattice
// internal: kg.papers
// param: lattice text required name of the lattice
// returns: id
MATCH (f:FormalConcept {lattice: $lattice})
RETURN f.id AS id
ORDER BY id
