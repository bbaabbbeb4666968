// title: The formal concepts of a class: in the lattice of the papers, and in that of the ontology's claims
// answers: With what do papers speak of this class, and where does what is claimed of it put it?
// param: concept text required IRI or label of the concept
// param: limit integer[1..1000000] 30 how many formal concepts
// returns: context, ontology, formal_concept, support, own, above, below
// example: concept=城市内涝
// cost: the formal concepts of the class and their neighbours
// needs: lattice
MATCH (concept:Concept)
WHERE concept.iri = $concept OR concept.label_zh = $concept OR concept.label_en IN [$concept, toLower($concept)]
OPTIONAL MATCH (concept)<-[:OWN_CLASS]-(claimed:FormalConcept)
WITH concept, collect(DISTINCT claimed) AS claims
OPTIONAL MATCH (concept)<-[:DENOTES]-(:Term)<-[:OWN_TERM]-(documented:FormalConcept)
WITH claims, collect(DISTINCT documented) AS documents
UNWIND claims + documents AS f
WITH DISTINCT f
WHERE f IS NOT NULL
OPTIONAL MATCH (f)-[:OWN_TERM]->(t:Term)
WITH f, collect(DISTINCT t.text) AS terms
OPTIONAL MATCH (f)-[:OWN_CLASS]->(c:Concept)
WITH f, terms, collect(DISTINCT coalesce(c.label_zh, c.label_en)) AS classes
UNWIND terms + classes AS name
WITH f, name
ORDER BY f.id, name
WITH f, collect(name) AS own
OPTIONAL MATCH (f)<-[:COVERS]-(u:FormalConcept)
OPTIONAL MATCH (u)-[:OWN_TERM|OWN_CLASS]->(a:Term|Concept)
WITH f, own, coalesce(a.text, a.label_zh, a.label_en) AS name
ORDER BY f.id, name
WITH f, own, collect(DISTINCT name) AS above
OPTIONAL MATCH (f)-[:COVERS]->(l:FormalConcept)
OPTIONAL MATCH (l)-[:OWN_TERM|OWN_CLASS]->(b:Term|Concept)
WITH f, own, above, coalesce(b.text, b.label_zh, b.label_en) AS name
ORDER BY f.id, name
RETURN f.context AS context, f.ontology AS ontology, f.id AS formal_concept, f.support AS support, own, above,
       collect(DISTINCT name) AS below
ORDER BY context, ontology, formal_concept
LIMIT $limit
