// title: The lattices of an ontology
// internal: kg.load, kg.papers
// param: ontology text required key of the ontology
// returns: lattice
MATCH (f:FormalConcept)
WHERE f.ontology = $ontology
RETURN DISTINCT f.lattice AS lattice
ORDER BY lattice
