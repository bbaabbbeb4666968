// title: The covers of a lattice, and the own terms, documents and classes of its formal concepts
// internal: kg.papers
// param: lattice text required name of the lattice
// returns: id, kind, target
MATCH (f:FormalConcept {lattice: $lattice})-[r:COVERS|OWN_TERM|OWN_DOCUMENT|OWN_CLASS]->(n)
RETURN f.id AS id, type(r) AS kind, coalesce(n.id, n.text, n.iri) AS target
ORDER BY id, kind, target
