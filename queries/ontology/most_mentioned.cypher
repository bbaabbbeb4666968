// title: The concepts that the pages of a crawl name most
// answers: What are the pages about, in the words of the ontology, and which concepts mark the relevant ones?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 30 how many concepts
// returns: iri, label_zh, label_en, pages, mentions, relevant_pages, share
// example: limit=10
// cost: slow: every mention of a concept by a page of the crawl
// needs: crawl, attempted, mentions
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)-[m:MENTIONS]->(concept:Concept)
WHERE m.crawl = c.id
WITH concept, count(*) AS pages, sum(m.count) AS mentions,
     sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant_pages
RETURN concept.iri AS iri, concept.label_zh AS label_zh, concept.label_en AS label_en, pages, mentions,
       relevant_pages, 1.0 * relevant_pages / pages AS share
ORDER BY pages DESC, mentions DESC, iri
LIMIT $limit
