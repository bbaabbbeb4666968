// title: The classes of equivalent concepts that have no broader class, and how many narrower ones each has
// internal: kg.weights
// param: ontology text required IRI of the ontology
// returns: class, broader, narrower
MATCH (o:Ontology {iri: $ontology})<-[m:IN_ONTOLOGY]-(c:Concept)
OPTIONAL MATCH (c)-[r:SUBCLASS_OF|PART_OF]-(other:Concept)-[n:IN_ONTOLOGY]->(o)
WHERE r.ontology = $ontology AND n.class <> m.class
WITH m.class AS class,
     CASE WHEN other IS NOT NULL AND startNode(r).iri = c.iri THEN n.class END AS above,
     CASE WHEN other IS NOT NULL AND endNode(r).iri = c.iri THEN n.class END AS below
RETURN class, count(DISTINCT above) AS broader, count(DISTINCT below) AS narrower
ORDER BY class
