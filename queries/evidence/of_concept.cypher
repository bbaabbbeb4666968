// title: The sentences that name a concept, on pages and in papers
// answers: Which sentences support this concept, where are they, and where in them is its name?
// param: concept text required IRI or label of the concept
// param: crawl text "" id of a crawl, for its pages only; empty: the pages of all crawls, and papers
// param: kind text[|page|paper] "" where: page or paper; empty: both
// param: limit integer[1..1000000] 30 how many sentences
// returns: kind, source, title, date text, sentence, start, end, relevance, page_number
// example: concept=城市内涝 limit=10
// cost: the sentences that name the concept; a sentence of several pages has a row for each; start and end are offsets
// needs: sentences
MATCH (concept:Concept)
WHERE concept.iri = $concept OR concept.label_zh = $concept OR concept.label_en IN [$concept, toLower($concept)]
MATCH (concept)<-[n:NAMES]-(s:Sentence)
CALL (s) {
  MATCH (s)-[o:ON_PAGE]->(p:Page)<-[f:FETCHED]-(c:Crawl)
  WHERE $kind <> 'paper' AND c.id = o.crawl AND ($crawl = '' OR c.id = $crawl)
  RETURN 'page' AS kind, p.url AS source, max(f.title) AS title, max(f.published) AS date,
         max(f.relevance) AS relevance, min(o.start) AS place, min(o.page_number) AS page_number
  UNION ALL
  MATCH (s)-[i:IN_DOCUMENT]->(d:Document)
  WHERE $kind <> 'page' AND $crawl = ''
  RETURN 'paper' AS kind, d.id AS source, d.title AS title, toString(d.year) AS date, null AS relevance,
         min(i.start) AS place, null AS page_number
}
WITH kind, source, title, date, s.text AS sentence, min(n.start) AS start, min(n.end) AS end, relevance, place,
     page_number
RETURN kind, source, title, date, sentence, start, end, relevance, page_number
ORDER BY kind DESC, coalesce(relevance, -1) DESC, source, place, sentence
LIMIT $limit
