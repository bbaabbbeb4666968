// title: Papers that no ontology was learned from, in which nothing was counted, and that no lattice has
// internal: kg.load
// param: ids list required ids of the candidates
// returns: id
UNWIND $ids AS id
MATCH (d:Document {id: id})
WHERE NOT EXISTS { MATCH (d)<-[:LEARNED_FROM]-(:Ontology) } AND NOT EXISTS { MATCH (d)-[:HAS_TERM]->(:Term) }
  AND NOT EXISTS { MATCH (d)<-[:OWN_DOCUMENT]-(:FormalConcept) }
RETURN DISTINCT d.id AS id
ORDER BY id
