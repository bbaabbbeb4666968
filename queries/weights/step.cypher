// title: One step of the shortest paths from the root: the classes beside a level, by the path with the best edges
// internal: kg.weights
// param: rows list required {member, class, weaker, rank} of the level: weaker edges on its path, rank of its path
// param: ontology text required IRI of the ontology
// param: weaker text required the relation with the smaller edge weight
// returns: class, weaker, before
UNWIND $rows AS row
MATCH (:Concept {iri: row.member})-[r:SUBCLASS_OF|PART_OF]-(beside:Concept)
WHERE r.ontology = $ontology
MATCH (beside)-[n:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
WHERE n.class <> row.class
WITH n.class AS class, row.weaker + CASE WHEN type(r) = $weaker THEN 1 ELSE 0 END AS weaker, row.rank AS rank,
     row.class AS before
ORDER BY class, weaker, rank
WITH class, collect({weaker: weaker, before: before}) AS found
RETURN class, found[0].weaker AS weaker, found[0].before AS before
ORDER BY class
