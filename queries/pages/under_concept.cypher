// title: The pages of a crawl about a concept or anything below it
// answers: What did the crawl find about this class and its subclasses and parts?
// param: concept text required IRI or label of the concept
// param: crawl text "" id of the crawl; empty: the newest one
// param: limit integer 20 how many pages
// returns: url, title, relevance, mentions, concepts
// example: concept=城市内涝 limit=10
// cost: every concept once, then the pages that mention those below
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (top:Concept)
WHERE top.iri = $concept OR top.label_zh = $concept OR toLower(top.label_en) = toLower($concept)
MATCH (other:Concept)
WHERE other.iri <> top.iri
OPTIONAL MATCH way = shortestPath((other)-[:SUBCLASS_OF|PART_OF*1..15]->(top))
WITH c, top, collect(DISTINCT CASE WHEN way IS NOT NULL THEN other.iri END) AS below
WITH c, collect(top.iri) AS tops, collect(below) AS belows
WITH c, reduce(all = tops, some IN belows | all + some) AS iris
UNWIND iris AS iri
WITH DISTINCT c, iri
MATCH (concept:Concept {iri: iri})<-[m:MENTIONS]-(p:Page)
WHERE m.crawl = c.id
WITH c, p, sum(m.count) AS mentions, concept
ORDER BY p.url, mentions DESC, concept.iri
WITH c, p, sum(mentions) AS mentions, collect(coalesce(concept.label_zh, concept.label_en)) AS concepts
MATCH (p)<-[f:FETCHED]-(c)
RETURN p.url AS url, f.title AS title, f.relevance AS relevance, mentions, concepts
ORDER BY mentions DESC, relevance DESC, url
LIMIT $limit
