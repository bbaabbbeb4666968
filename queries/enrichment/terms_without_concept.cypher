// title: Terms of the papers that no concept of an ontology has as a name
// answers: What do the papers speak of that the ontology lacks?
// param: ontology text "" IRI of the ontology; empty: any
// param: limit integer[1..1000000] 50 how many terms
// returns: term, documents, occurrences
// example: ontology=https://w3id.org/ontocrawl/rainstorm limit=10
// cost: every term once, and the papers of those without a concept
// needs: papers
MATCH (t:Term)
WHERE NOT EXISTS {
  MATCH (t)-[:DENOTES]->(:Concept)-[:IN_ONTOLOGY]->(o:Ontology) WHERE $ontology = '' OR o.iri = $ontology
}
MATCH (t)<-[h:HAS_TERM]-(d:Document)
WITH t, d, max(h.tf) AS tf
RETURN t.text AS term, count(*) AS documents, sum(tf) AS occurrences
ORDER BY documents DESC, occurrences DESC, term
LIMIT $limit
