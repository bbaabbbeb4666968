// title: How far a crawl covers each branch of an ontology
// answers: Which branches below the root do pages name, and which are still bare?
// param: ontology text "" IRI of the ontology; empty: the global ones
// param: crawl text newest id of the crawl
// param: names integer[1..1000] 5 how many concepts without a page of each
// returns: ontology, branch, concepts, named, share, bare
// lists: bare
// example: ontology=https://w3id.org/ontocrawl/rainstorm
// cost: every concept of the ontology, and the mentions of it by pages; bare are those without a page
// needs: crawl, ontologies
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (o:Ontology)
WHERE o.iri = $ontology OR ($ontology = '' AND o.kind = 'global')
MATCH (:Concept {iri: o.root})<-[:SUBCLASS_OF|PART_OF {ontology: o.iri}]-(start:Concept)
WITH DISTINCT c, o, start
MATCH way = (start)<-[:SUBCLASS_OF|PART_OF*0.. {ontology: o.iri}]-(reached:Concept)
WITH c, start, o, reached, min(length(way)) AS distance
WITH c, o, reached AS below, collect(DISTINCT start) AS tops
WITH o, below, tops, EXISTS { MATCH (below)<-[m:MENTIONS]-(:Page) WHERE m.crawl = c.id } AS named
UNWIND tops AS top
WITH o, top, below, named
ORDER BY o.iri, top.iri, below.iri
WITH o, top, count(*) AS concepts, sum(CASE WHEN named THEN 1 ELSE 0 END) AS named,
     collect(CASE WHEN NOT named THEN coalesce(below.label_zh, below.label_en) END)[0..$names] AS bare
RETURN o.iri AS ontology, coalesce(top.label_zh, top.label_en) AS branch, concepts,
       named,
       1.0 * named / concepts AS share, bare
ORDER BY ontology, share, top.iri
