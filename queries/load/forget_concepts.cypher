// title: Remove concepts that nothing in the graph refers to any more
// internal: kg.load
// param: iris list required IRIs of the candidates
// returns: removed
UNWIND $iris AS iri
MATCH (c:Concept {iri: iri})
WHERE NOT EXISTS { MATCH (c)--() }
DELETE c
RETURN count(*) AS removed
