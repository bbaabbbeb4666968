// title: Classes of a topic that no page of its crawls names, with their papers
// answers: Which classes of a topic has no crawl found yet, and how many papers would steer a crawl for each?
// param: topic text "" name of the topic; empty: all
// param: ontologies list [] keys of ontologies; empty: those of the topic
// param: limit integer[1..1000000] 50 how many classes
// returns: iri, label_zh, label_en, papers integer, ontologies
// example: topic=rainstorm limit=10
// cost: every concept of the ontologies, with its mentions until one is found; papers of those without any
// needs: ontologies
OPTIONAL MATCH (c:Crawl)
WHERE $topic = '' OR c.topic = $topic
WITH collect(c.id) AS crawls
MATCH (concept:Concept)-[i:IN_ONTOLOGY]->(o:Ontology)
WHERE o.iri IN $ontologies OR (size($ontologies) = 0 AND ($topic = '' OR o.topic = $topic))
WITH crawls, concept, i, o
ORDER BY i.iri, o.iri
WITH crawls, concept, min(i.iri) AS iri, collect(DISTINCT o.iri) AS ontologies
WHERE NOT EXISTS { MATCH (concept)<-[m:MENTIONS]-(:Page) WHERE m.crawl IN crawls }
OPTIONAL MATCH (concept)<-[:DENOTES|NAMES]-()-[:HAS_TERM|IN_DOCUMENT]-(d:Document)
WITH concept, iri, ontologies, count(DISTINCT d) AS papers
RETURN iri, concept.label_zh AS label_zh, concept.label_en AS label_en, papers, ontologies
ORDER BY papers DESC, iri
LIMIT $limit
