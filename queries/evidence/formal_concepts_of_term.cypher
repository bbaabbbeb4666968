// title: A term's place in the concept lattice
// answers: With which terms and papers does this term form a formal concept, and what lies directly above and below?
// param: term text required the term
// returns: formal_concept, support, stability, own_terms, own_documents, above, below
// example: term=城市内涝
// cost: the formal concept of the term and its neighbours; above and below name own terms
// needs: lattice, term
MATCH (:Term {text: $term})<-[:OWN_TERM]-(f:FormalConcept)
OPTIONAL MATCH (f)-[:OWN_TERM]->(t:Term)
WITH f, t
ORDER BY t.text
WITH f, collect(t.text) AS own_terms
OPTIONAL MATCH (f)-[:OWN_DOCUMENT]->(d:Document)
WITH f, own_terms, d
ORDER BY d.id
WITH f, own_terms, collect(d.id) AS own_documents
OPTIONAL MATCH (f)<-[:COVERS]-(:FormalConcept)-[:OWN_TERM]->(u:Term)
WITH f, own_terms, own_documents, u
ORDER BY u.text
WITH f, own_terms, own_documents, collect(DISTINCT u.text) AS above
OPTIONAL MATCH (f)-[:COVERS]->(:FormalConcept)-[:OWN_TERM]->(l:Term)
WITH f, own_terms, own_documents, above, l
ORDER BY l.text
RETURN f.id AS formal_concept, f.support AS support, f.stability AS stability, own_terms, own_documents, above,
       collect(DISTINCT l.text) AS below
ORDER BY formal_concept
