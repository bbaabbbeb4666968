// statement: causes
// title: Write the CAUSES relations of an ontology
// internal: kg.load
// param: rows list required {source, target, props}
// param: ontology text required IRI of the ontology
// returns: written
UNWIND $rows AS row
MATCH (a:Concept {iri: row.source})
MATCH (b:Concept {iri: row.target})
MERGE (a)-[r:CAUSES {ontology: $ontology}]->(b)
SET r += row.props
RETURN count(*) AS written

// statement: concepts
// title: Write concepts with their newest labels
// internal: kg.load
// param: rows list required {iri, props}
// returns: written
UNWIND $rows AS row
MERGE (c:Concept {iri: row.iri})
SET c += row.props
RETURN count(*) AS written

// statement: covers
// title: Write the covers of a lattice, from the broader to the narrower formal concept
// internal: kg.papers
// param: rows list required {lower, upper}
// returns: written
UNWIND $rows AS row
MATCH (lower:FormalConcept {id: row.lower})
MATCH (upper:FormalConcept {id: row.upper})
MERGE (lower)<-[:COVERS]-(upper)
RETURN count(*) AS written

// statement: denotes
// title: Write which concept a term denotes
// internal: kg.papers
// param: rows list required {text, iri}
// returns: written
UNWIND $rows AS row
MATCH (t:Term {text: row.text})
MATCH (c:Concept {iri: row.iri})
MERGE (t)-[:DENOTES]->(c)
RETURN count(*) AS written

// statement: digest
// title: What was loaded under the IRI of an ontology
// internal: kg.load
// param: iri text required IRI of the ontology
// returns: digest
MATCH (o:Ontology {iri: $iri})
RETURN o.digest AS digest

// statement: documents
// title: Write papers
// internal: kg.papers
// param: rows list required {id, props}
// returns: written
UNWIND $rows AS row
MERGE (d:Document {id: row.id})
SET d += row.props
RETURN count(*) AS written

// statement: equivalent_to
// title: Write the EQUIVALENT_TO relations of an ontology
// internal: kg.load
// param: rows list required {source, target, props}
// param: ontology text required IRI of the ontology
// returns: written
UNWIND $rows AS row
MATCH (a:Concept {iri: row.source})
MATCH (b:Concept {iri: row.target})
MERGE (a)-[r:EQUIVALENT_TO {ontology: $ontology}]->(b)
SET r += row.props
RETURN count(*) AS written

// statement: forget_concepts
// title: Remove concepts that nothing in the graph refers to any more
// internal: kg.load
// param: iris list required IRIs of the candidates
// returns: removed
UNWIND $iris AS iri
MATCH (c:Concept {iri: iri})
WHERE NOT EXISTS { MATCH (c)--() }
DELETE c
RETURN count(*) AS removed

// statement: forget_documents
// title: Remove papers
// internal: kg.load
// param: ids list required ids of the papers
// returns: removed
UNWIND $ids AS id
MATCH (d:Document {id: id})
DETACH DELETE d
RETURN count(*) AS removed

// statement: forget_edges
// title: Remove all relations that an ontology asserts
// internal: kg.load
// param: ontology text required IRI of the ontology
// returns: removed
MATCH (:Ontology {iri: $ontology})<-[:IN_ONTOLOGY]-(c:Concept)
MATCH (c)-[r:SUBCLASS_OF|PART_OF|EQUIVALENT_TO|CAUSES|MEASURED_BY]->(:Concept)
WHERE r.ontology = $ontology
DELETE r
RETURN count(*) AS removed

// statement: forget_in_document
// title: Forget which sentences some papers have
// internal: kg.evidence
// param: rows list required {id}
// returns: id
UNWIND $rows AS row
MATCH (:Document {id: row.id})<-[i:IN_DOCUMENT]-(s:Sentence)
WITH i, s.id AS id
DELETE i
RETURN DISTINCT id
ORDER BY id

// statement: forget_lattice
// title: Remove formal concepts of an older lattice of the same name
// internal: kg.papers
// param: rows list required {id}
// returns: removed
UNWIND $rows AS row
MATCH (f:FormalConcept {id: row.id})
DETACH DELETE f
RETURN count(*) AS removed

// statement: forget_learned_from
// title: Remove the links of an ontology to the papers that it was learned from
// internal: kg.load
// param: ontology text required key of the ontology
// returns: id
MATCH (:Ontology {iri: $ontology})-[l:LEARNED_FROM]->(d:Document)
WITH l, d.id AS id
DELETE l
RETURN id
ORDER BY id

// statement: forget_members
// title: Take concepts out of an ontology
// internal: kg.load
// param: ontology text required IRI of the ontology
// param: keep list required IRIs of the concepts that stay
// returns: iri
MATCH (:Ontology {iri: $ontology})<-[m:IN_ONTOLOGY]-(c:Concept)
WHERE NOT c.iri IN $keep
WITH m, c.iri AS iri
DELETE m
RETURN iri
ORDER BY iri

// statement: forget_ontology
// title: Remove an ontology that has no concepts any more
// internal: kg.load
// param: iri text required IRI of the ontology
// returns: removed
MATCH (o:Ontology {iri: $iri})
WHERE NOT EXISTS { MATCH (o)<-[:IN_ONTOLOGY]-(:Concept) }
DELETE o
RETURN count(*) AS removed

// statement: forget_papers
// title: Remove the links of papers to the terms that an ontology counted in them
// internal: kg.load
// param: ontology text required key of the ontology
// returns: removed
MATCH (:Ontology {iri: $ontology})-[:LEARNED_FROM]->(:Document)-[h:HAS_TERM]->(:Term)
WHERE h.ontology = $ontology
DELETE h
RETURN count(*) AS removed

// statement: forget_terms
// title: Remove the links of papers to their terms before they are written anew
// internal: kg.papers
// param: rows list required {id}
// param: ontology text required key of the ontology whose terms were counted
// returns: removed
UNWIND $rows AS row
MATCH (:Document {id: row.id})-[h:HAS_TERM]->(:Term)
WHERE h.ontology = $ontology
DELETE h
RETURN count(*) AS removed

// statement: forget_weights
// title: Remove the weights that any topic took from an ontology
// internal: kg.load
// param: ontology text required IRI of the ontology
// returns: removed
MATCH (:Topic)-[w:WEIGHTS]->(:Concept)
WHERE w.ontology = $ontology
DELETE w
RETURN count(*) AS removed

// statement: formal_concepts
// title: Write formal concepts
// internal: kg.papers
// param: rows list required {id, props}
// returns: written
UNWIND $rows AS row
MERGE (f:FormalConcept {id: row.id})
SET f += row.props
RETURN count(*) AS written

// statement: forms
// title: The surface forms of all concepts of all ontologies
// internal: kg.papers
// returns: iri, label_zh, label_en, alt_zh, alt_en
MATCH (c:Concept)-[m:IN_ONTOLOGY]->(:Ontology)
RETURN DISTINCT c.iri AS iri, m.label_zh AS label_zh, m.label_en AS label_en, m.alt_zh AS alt_zh, m.alt_en AS alt_en
ORDER BY iri, label_zh, label_en

// statement: has_term
// title: Write which terms a paper contains, and how often
// internal: kg.papers
// param: rows list required {id, text, tf}
// param: ontology text required key of the ontology whose terms were counted
// returns: written
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
MATCH (t:Term {text: row.text})
MERGE (d)-[h:HAS_TERM {ontology: $ontology}]->(t)
SET h.tf = row.tf
RETURN count(*) AS written

// statement: in_document
// title: Write which sentences a paper has
// internal: kg.evidence
// param: rows list required {document, id, field, start, end}
// returns: written
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
MATCH (s:Sentence {id: row.id})
CREATE (s)-[:IN_DOCUMENT {field: row.field, start: row.start, end: row.end}]->(d)
RETURN count(*) AS written

// statement: joined
// title: The concepts that have another IRI in an ontology than in the graph
// internal: kg.joined
// returns: own, iri
MATCH (c:Concept)-[m:IN_ONTOLOGY]->(:Ontology)
WHERE m.iri <> c.iri
RETURN DISTINCT m.iri AS own, c.iri AS iri
ORDER BY own, iri

// statement: lattice_concepts
// title: The formal concepts of a lattice with their properties
// internal: kg.papers
// param: lattice text required name of the lattice
// returns: context, id, ontology, stability, support
MATCH (f:FormalConcept {lattice: $lattice})
RETURN f.context AS context, f.id AS id, f.ontology AS ontology, f.stability AS stability, f.support AS support
ORDER BY id

// statement: lattice_edges
// title: The covers of a lattice, and the own terms, documents and classes of its formal concepts
// internal: kg.papers
// param: lattice text required name of the lattice
// returns: id, kind, target
MATCH (f:FormalConcept {lattice: $lattice})-[r:COVERS|OWN_TERM|OWN_DOCUMENT|OWN_CLASS]->(n)
RETURN f.id AS id, type(r) AS kind, coalesce(n.id, n.text, n.iri) AS target
ORDER BY id, kind, target

// statement: lattice_ids
// title: The formal concepts of a lattice
// internal: kg.papers
// param: lattice text required name of the lattice
// returns: id
MATCH (f:FormalConcept {lattice: $lattice})
RETURN f.id AS id
ORDER BY id

// statement: lattices_of
// title: The lattices of an ontology
// internal: kg.load, kg.papers
// param: ontology text required key of the ontology
// returns: lattice
MATCH (f:FormalConcept)
WHERE f.ontology = $ontology
RETURN DISTINCT f.lattice AS lattice
ORDER BY lattice

// statement: learned_from
// title: Write which papers an ontology was learned from
// internal: kg.papers
// param: rows list required {id}
// param: ontology text required key of the ontology
// returns: written
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
MATCH (o:Ontology {iri: $ontology})
MERGE (d)<-[:LEARNED_FROM]-(o)
RETURN count(*) AS written

// statement: measured_by
// title: Write the MEASURED_BY relations of an ontology
// internal: kg.load
// param: rows list required {source, target, props}
// param: ontology text required IRI of the ontology
// returns: written
UNWIND $rows AS row
MATCH (a:Concept {iri: row.source})
MATCH (b:Concept {iri: row.target})
MERGE (a)-[r:MEASURED_BY {ontology: $ontology}]->(b)
SET r += row.props
RETURN count(*) AS written

// statement: members
// title: Put concepts into an ontology, with the labels that it gives them
// internal: kg.load
// param: rows list required {iri, props}
// param: ontology text required IRI of the ontology
// returns: written
UNWIND $rows AS row
MATCH (c:Concept {iri: row.iri})
MATCH (o:Ontology {iri: $ontology})
MERGE (c)-[m:IN_ONTOLOGY]->(o)
SET m += row.props
RETURN count(*) AS written

// statement: members_of_others
// title: The concepts of all ontologies with their names, and the mappings that joined them
// internal: kg.joined
// returns: iri, own, ontology, topic, label_zh, label_en, alt_zh, alt_en, predicate, justification, confidence, match_string, match
MATCH (c:Concept)-[m:IN_ONTOLOGY]->(o:Ontology)
RETURN c.iri AS iri, coalesce(m.iri, c.iri) AS own, o.iri AS ontology, o.topic AS topic, m.label_zh AS label_zh,
       m.label_en AS label_en, m.alt_zh AS alt_zh, m.alt_en AS alt_en, m.predicate AS predicate,
       m.justification AS justification, m.confidence AS confidence, m.match_string AS match_string, m.match AS match
ORDER BY ontology, iri

// statement: ontology
// title: Write the node of an ontology
// internal: kg.load
// param: iri text required IRI of the ontology
// param: props list required map of its properties
// returns: iri
MERGE (o:Ontology {iri: $iri})
SET o += $props
RETURN o.iri AS iri

// statement: ontology_iris
// title: The ontologies that the graph has
// internal: kg.load
// returns: iri
MATCH (o:Ontology)
RETURN o.iri AS iri
ORDER BY iri

// statement: own_class
// title: Write the classes of formal concepts, in the lattice of an ontology's claims
// internal: kg.papers
// param: rows list required {id, iri}
// returns: written
UNWIND $rows AS row
MATCH (f:FormalConcept {id: row.id})
MATCH (c:Concept {iri: row.iri})
MERGE (f)-[:OWN_CLASS]->(c)
RETURN count(*) AS written

// statement: own_document
// title: Write the own documents of formal concepts (reduced labelling)
// internal: kg.papers
// param: rows list required {id, document}
// returns: written
UNWIND $rows AS row
MATCH (f:FormalConcept {id: row.id})
MATCH (d:Document {id: row.document})
MERGE (f)-[:OWN_DOCUMENT]->(d)
RETURN count(*) AS written

// statement: own_term
// title: Write the own terms of formal concepts (reduced labelling)
// internal: kg.papers
// param: rows list required {id, text}
// returns: written
UNWIND $rows AS row
MATCH (f:FormalConcept {id: row.id})
MATCH (t:Term {text: row.text})
MERGE (f)-[:OWN_TERM]->(t)
RETURN count(*) AS written

// statement: papers_digest
// title: What the papers of an ontology were loaded with
// internal: kg.papers
// param: iri text required key of the ontology
// returns: papers
MATCH (o:Ontology {iri: $iri})
RETURN o.papers AS papers

// statement: papers_unwritten
// title: Note that the papers of an ontology are not all in the graph
// internal: kg.load
// param: ontology text required key of the ontology
// returns: iri
MATCH (o:Ontology {iri: $ontology})
SET o.papers = ''
RETURN o.iri AS iri

// statement: part_of
// title: Write the PART_OF relations of an ontology
// internal: kg.load
// param: rows list required {source, target, props}
// param: ontology text required IRI of the ontology
// returns: written
UNWIND $rows AS row
MATCH (a:Concept {iri: row.source})
MATCH (b:Concept {iri: row.target})
MERGE (a)-[r:PART_OF {ontology: $ontology}]->(b)
SET r += row.props
RETURN count(*) AS written

// statement: subclass_of
// title: Write the SUBCLASS_OF relations of an ontology
// internal: kg.load
// param: rows list required {source, target, props}
// param: ontology text required IRI of the ontology
// returns: written
UNWIND $rows AS row
MATCH (a:Concept {iri: row.source})
MATCH (b:Concept {iri: row.target})
MERGE (a)-[r:SUBCLASS_OF {ontology: $ontology}]->(b)
SET r += row.props
RETURN count(*) AS written

// statement: terms
// title: Write terms
// internal: kg.papers
// param: rows list required {text, folded}: folded is the text in simplified characters, null where it is the same
// returns: written
UNWIND $rows AS row
MERGE (t:Term {text: row.text})
SET t.folded = row.folded
RETURN count(*) AS written

// statement: unused_documents
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
