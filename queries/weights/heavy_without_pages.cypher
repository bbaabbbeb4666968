// title: Concepts that steer a crawl and that its pages hardly name
// answers: Which heavy concepts does this part of the web not speak of, or under other names?
// param: topic text "" name of the topic; empty: all
// param: most integer[0..] 0 most pages that name the concept
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 30 how many concepts
// returns: iri, label_zh, label_en, weight, pages
// example: limit=10
// cost: the weights of the topic, and the pages that name the concepts
// needs: crawl, weights
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (t:Topic)-[w:WEIGHTS]->(concept:Concept)
WHERE $topic = '' OR t.name = $topic
WITH c, concept, max(w.weight) AS weight
OPTIONAL MATCH (concept)<-[m:MENTIONS]-(p:Page)
WHERE m.crawl = c.id
WITH concept, weight, count(p) AS pages
WHERE pages <= $most
RETURN concept.iri AS iri, concept.label_zh AS label_zh, concept.label_en AS label_en, weight, pages
ORDER BY weight DESC, iri
LIMIT $limit
