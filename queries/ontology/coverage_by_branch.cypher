// title: How far a crawl covers each branch of an ontology
// answers: Which branches below the root do pages name, and which are still bare?
// param: ontology text "" IRI of the ontology; empty: the global ones
// param: crawl text "" id of the crawl; empty: the newest one
// returns: ontology, branch, concepts, named, share, bare
// example: ontology=https://w3id.org/ontocrawl/rainstorm
// cost: every concept of the ontology, and the mentions of it by pages; bare has the first five without a page
// needs: crawl, ontologies
// none: no ontology that was asked for has concepts below its root
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (o:Ontology)
WHERE o.iri = $ontology OR ($ontology = '' AND o.kind = 'global')
MATCH (:Concept {iri: o.root})<-[:SUBCLASS_OF|PART_OF {ontology: o.iri}]-(top:Concept)
WITH DISTINCT c, o, top
MATCH (top)<-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]-(x:Concept)
WITH DISTINCT c, o, top, x
MATCH (x)<-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]-(y:Concept)
WITH DISTINCT c, o, top, y
MATCH (y)<-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]-(z:Concept)
WITH DISTINCT c, o, top, z
MATCH (z)<-[:SUBCLASS_OF|PART_OF*0..4 {ontology: o.iri}]-(below:Concept)
WITH DISTINCT c, o, top, below
WITH c, o, below, collect(top) AS tops
WITH o, below, tops, EXISTS { MATCH (below)<-[m:MENTIONS]-(:Page) WHERE m.crawl = c.id } AS named
UNWIND tops AS top
WITH o, top, below, named
ORDER BY o.iri, top.iri, below.iri
WITH o, top, count(*) AS concepts, sum(CASE WHEN named THEN 1 ELSE 0 END) AS named,
     collect(CASE WHEN NOT named THEN coalesce(below.label_zh, below.label_en) END)[0..5] AS bare
RETURN o.iri AS ontology, coalesce(top.label_zh, top.label_en) AS branch, concepts, named,
       1.0 * named / concepts AS share, bare
ORDER BY ontology, share, top.iri
