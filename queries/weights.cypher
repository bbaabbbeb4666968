// statement: broader
// title: The classes directly above each class of equivalent concepts
// internal: kg.weights
// param: rows list required {below, member, class}: class is that of below, member one of its concepts
// param: ontology text required IRI of the ontology
// returns: below, above
UNWIND $rows AS row
MATCH (:Concept {iri: row.member})-[r:SUBCLASS_OF|PART_OF]->(broader:Concept)
WHERE r.ontology = $ontology
MATCH (broader)-[n:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
WHERE n.class <> row.class
RETURN DISTINCT row.below AS below, n.class AS above
ORDER BY below, above

// statement: cache
// title: Keep the shape of the hierarchy: class of equivalents, longest root path, number of direct children
// internal: kg.weights
// param: rows list required {iri, props}
// param: ontology text required IRI of the ontology
// returns: written
UNWIND $rows AS row
MATCH (c:Concept {iri: row.iri})-[m:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
SET m += row.props
RETURN count(*) AS written

// statement: equivalences
// title: The equivalences that an ontology asserts
// internal: kg.weights
// param: ontology text required IRI of the ontology
// returns: one, other
MATCH (:Ontology {iri: $ontology})<-[:IN_ONTOLOGY]-(a:Concept)
MATCH (a)-[r:EQUIVALENT_TO]->(b:Concept)
WHERE r.ontology = $ontology
RETURN DISTINCT a.iri AS one, b.iri AS other
ORDER BY one, other

// statement: factors
// title: The five factors of Sem(root, class) and their weighted sum: paper 000, Eqs. (1) to (3); algorithms.md 2.4
// internal: kg.weights
// param: rows list required {class, distance, weaker, ancestors}; distance null where no path leads to the root
// param: ontology text required IRI of the ontology
// param: root text required class of the root
// param: above list required classes above the root, itself included
// param: widest integer required largest number of direct children in the ontology
// param: alpha number 1.0 the alpha of IF_Dis
// param: strong number 0.8 weight of the stronger kind of edge
// param: weak number 0.6 weight of the weaker kind of edge
// param: c_distance number 0.7 coefficient of IF_Dis
// param: c_density number 0.04 coefficient of IF_Den
// param: c_depth number 0.11 coefficient of IF_Dep
// param: c_coincidence number 0.03 coefficient of IF_Coi
// param: c_relation number 0.12 coefficient of IF_Rel
// returns: class, weight, distance, density, depth, coincidence, relation
MATCH (:Concept {iri: $root})-[top:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
UNWIND $rows AS row
MATCH (:Concept {iri: row.class})-[own:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
WITH row, top.depth AS root_depth, own.depth AS own_depth, [x IN row.ancestors WHERE x IN $above] AS common
UNWIND CASE WHEN size(common) = 0 THEN [''] ELSE common END AS shared
OPTIONAL MATCH (:Concept {iri: shared})-[lca:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
WITH row, root_depth, own_depth, common, shared, lca.depth AS lca_depth, lca.children AS lca_children
ORDER BY row.class, lca_depth DESC, lca_children DESC, shared
WITH row, root_depth, own_depth, common, collect(lca_depth) AS lca_depths, collect(lca_children) AS lca_children
WITH row, row.class = $root AS same,
     CASE WHEN row.distance IS NULL THEN 0.0 ELSE $alpha / ($alpha + row.distance) END AS distance,
     CASE WHEN size(common) = 0 THEN 0.0 ELSE (1.0 + lca_children[0]) / (1.0 + $widest) END AS density,
     CASE WHEN size(common) = 0 THEN 0.0 ELSE 2.0 * lca_depths[0] / (root_depth + own_depth) END AS depth,
     1.0 * size(common) / (size(row.ancestors) + size($above) - size(common)) AS coincidence,
     CASE WHEN row.distance IS NULL OR row.distance = 0 THEN 0.0
          ELSE exp((row.weaker * log($weak) + (row.distance - row.weaker) * log($strong)) / row.distance)
     END AS relation
WITH row.class AS class,
     CASE WHEN same THEN 1.0 ELSE distance END AS distance,
     CASE WHEN same THEN 1.0 ELSE density END AS density,
     CASE WHEN same THEN 1.0 ELSE depth END AS depth,
     CASE WHEN same THEN 1.0 ELSE coincidence END AS coincidence,
     CASE WHEN same THEN 1.0 ELSE relation END AS relation
RETURN class,
       $c_distance * distance + $c_density * density + $c_depth * depth
         + $c_coincidence * coincidence + $c_relation * relation AS weight,
       distance, density, depth, coincidence, relation
ORDER BY class

// statement: forget_terms
// title: Remove terms that nothing refers to
// internal: kg.weights
// param: words list required texts of the terms
// returns: removed
UNWIND $words AS word
MATCH (w:Term {text: word})
WHERE NOT EXISTS { MATCH (w)--() }
DELETE w
RETURN count(*) AS removed

// statement: forget_topic
// title: Remove the weights that a topic took from an ontology
// internal: kg.weights
// param: topic text required name of the topic
// param: ontology text required IRI of the ontology
// returns: removed
MATCH (:Topic {name: $topic})-[w:WEIGHTS]->(:Concept)
WHERE w.ontology = $ontology
DELETE w
RETURN count(*) AS removed

// statement: forget_words
// title: Remove words that steer crawls on a topic
// internal: kg.weights
// param: topic text required name of the topic
// param: words list required texts of the words
// returns: removed
MATCH (:Topic {name: $topic})-[h:HAS_WORD]->(w:Term)
WHERE w.text IN $words
DELETE h
RETURN count(*) AS removed

// statement: keep_words
// title: Note what the words of a topic were loaded with
// internal: kg.weights
// param: topic text required name of the topic
// param: digest text required digest of the words
// returns: name
MERGE (t:Topic {name: $topic})
SET t.words = $digest
RETURN t.name AS name

// statement: key
// title: How particular each class of an ontology is to the papers that it was learned from, or to the pages that it came from, and its weight by that
// internal: kg.key_weights
// param: rows list required {class, member, background, pages, share}: a concept of the class, background papers with a label of it, relevant pages that showed it and the share of all that they support
// param: ontology text required key of the ontology
// param: papers list required keys of the ontologies whose papers are counted
// param: background integer required number of background papers
// returns: class, documents, pages, background, key, weight
MATCH (o:Ontology)-[:LEARNED_FROM]->(d:Document)
WHERE o.iri IN $papers
WITH count(DISTINCT d) AS D
UNWIND $rows AS row
MATCH (:Concept {iri: row.member})-[m:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
UNWIND [coalesce(m.label_zh, ''), coalesce(m.label_en, '')] + coalesce(m.alt_zh, []) + coalesce(m.alt_en, []) AS form
OPTIONAL MATCH (t:Term {text: form})<-[h:HAS_TERM]-(d:Document)
WHERE h.ontology IN $papers
WITH D, row.class AS class, max(row.background) AS b_i, max(row.pages) AS p_i, max(row.share) AS share,
     count(DISTINCT d) AS d_i
WITH class, d_i, b_i, CASE WHEN d_i = 0 THEN p_i ELSE 0 END AS p_i,
     CASE WHEN d_i > 0 THEN log((d_i + 0.5) / (D + 1.0)) - log((b_i + 0.5) / ($background + 1.0))
          WHEN p_i > 0 THEN log(share) - log((b_i + 0.5) / ($background + 1.0))
          ELSE 0.0
     END AS excess
WITH class, d_i, b_i, p_i, CASE WHEN excess > 0.0 THEN excess ELSE 0.0 END AS key
WITH collect({class: class, d_i: d_i, b_i: b_i, p_i: p_i, key: key}) AS found, max(key) AS top
UNWIND found AS one
RETURN one.class AS class, one.d_i AS documents, one.p_i AS pages, one.b_i AS background, one.key AS key,
       CASE WHEN top = 0.0 THEN 0.0 ELSE (one.key / top) * (one.key / top) END AS weight
ORDER BY class

// statement: members
// title: The concepts of an ontology with its labels and the cached shape of the hierarchy
// internal: kg.weights
// param: ontology text required IRI of the ontology
// returns: iri, own, label_zh, label_en, alt_zh, alt_en, class, depth, children
MATCH (:Ontology {iri: $ontology})<-[m:IN_ONTOLOGY]-(c:Concept)
RETURN c.iri AS iri, coalesce(m.iri, c.iri) AS own, m.label_zh AS label_zh, m.label_en AS label_en,
       m.alt_zh AS alt_zh, m.alt_en AS alt_en, m.class AS class, m.depth AS depth, m.children AS children
ORDER BY iri

// statement: papers
// title: How many papers ontologies were learned from, each paper once
// internal: kg.key_weights
// param: papers list required keys of the ontologies
// returns: papers
MATCH (o:Ontology)-[:LEARNED_FROM]->(d:Document)
WHERE o.iri IN $papers
RETURN count(DISTINCT d) AS papers

// statement: root
// title: The root concept of an ontology, and which version of what it is
// internal: kg.weights
// param: ontology text required IRI of the ontology
// returns: root, series, version
MATCH (o:Ontology {iri: $ontology})
RETURN o.root AS root, coalesce(o.series, o.iri) AS series, o.version AS version

// statement: save
// title: Write the weights of a topic
// internal: kg.weights
// param: rows list required {iri, ontology, props}
// param: topic text required name of the topic
// returns: written
UNWIND $rows AS row
MATCH (c:Concept {iri: row.iri})
MATCH (t:Topic {name: $topic})
MERGE (c)<-[w:WEIGHTS {ontology: row.ontology}]-(t)
SET w += row.props
RETURN count(*) AS written

// statement: save_words
// title: Write the words that steer crawls on a topic
// internal: kg.weights
// param: rows list required {text, props}: props has weight, position, forms in zh and en, the shares p, g, o, texts, source
// param: topic text required name of the topic
// returns: written
UNWIND $rows AS row
MERGE (w:Term {text: row.text})
WITH row, w
MATCH (t:Topic {name: $topic})
MERGE (t)-[h:HAS_WORD]->(w)
SET h = row.props
RETURN count(*) AS written

// statement: step
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

// statement: texts
// title: The sentences of the papers that ontologies were learned from, in reading order
// internal: kg.papers
// param: papers list required keys of the ontologies
// returns: document, field, start, text
MATCH (o:Ontology)-[:LEARNED_FROM]->(d:Document)
WHERE o.iri IN $papers
WITH DISTINCT d
MATCH (s:Sentence)-[r:IN_DOCUMENT]->(d)
RETURN d.id AS document, r.field AS field, r.start AS start, s.text AS text
ORDER BY document, field, start

// statement: topic
// title: Write a topic
// internal: kg.weights
// param: topic text required name of the topic
// returns: name
MERGE (t:Topic {name: $topic})
RETURN t.name AS name

// statement: words
// title: The words that steer crawls on a topic
// internal: kg.weights
// param: topic text required name of the topic
// returns: word, weight, zh, en, p, o, position
MATCH (:Topic {name: $topic})-[h:HAS_WORD]->(w:Term)
WHERE h.weight > 0
RETURN w.text AS word, h.weight AS weight, h.zh AS zh, h.en AS en, h.p AS p, h.o AS o, h.position AS position
ORDER BY position IS NULL, position, word

// statement: words_digest
// title: What the words of a topic were loaded with
// internal: kg.weights
// param: topic text required name of the topic
// returns: words
MATCH (t:Topic {name: $topic})
RETURN t.words AS words

// statement: words_listed
// title: The weights that the files of a topic gave its words when they were loaded
// internal: kg.weights
// param: topic text required name of the topic
// returns: word, listed
MATCH (:Topic {name: $topic})-[h:HAS_WORD]->(w:Term)
RETURN w.text AS word, h.listed AS listed
ORDER BY word
