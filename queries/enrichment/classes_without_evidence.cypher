// title: Classes of a topic that no page of its crawls and no paper names
// answers: Which classes stand in the ontologies of a topic without any evidence?
// param: topic text "" name of the topic; empty: all
// param: ontologies list [] keys of ontologies; empty: those of the topic
// param: limit integer[1..1000000] 50 how many classes
// returns: iri, label_zh, label_en, ontologies
// example: topic=rainstorm limit=10
// cost: every concept of the ontologies, with its mentions and papers until one is found
// needs: ontologies
OPTIONAL MATCH (c:Crawl)
WHERE $topic = '' OR c.topic = $topic
WITH collect(c.id) AS crawls
MATCH (concept:Concept)-[i:IN_ONTOLOGY]->(o:Ontology)
WHERE o.iri IN $ontologies OR (size($ontologies) = 0 AND ($topic = '' OR o.topic = $topic))
WITH crawls, concept, i, o
ORDER BY i.iri, o.iri
WITH crawls, concept, min(i.iri) AS iri, collect(DISTINCT o.iri) AS ontologies
WHERE NOT EXISTS { MATCH (concept)<-[:DENOTES|NAMES]-()-[:HAS_TERM|IN_DOCUMENT]-(:Document) }
  AND NOT EXISTS { MATCH (concept)<-[m:MENTIONS]-(:Page) WHERE m.crawl IN crawls }
RETURN iri, concept.label_zh AS label_zh, concept.label_en AS label_en, ontologies
ORDER BY iri
LIMIT $limit
