// title: The sentences with some words, on pages and in papers
// answers: Where is this said, in Chinese or English?
// param: text text required words a sentence must all have, in either script; flood* finds words beginning with flood
// param: crawl text "" id of a crawl, for its pages only; empty: the pages of all crawls, and papers
// param: kind text[|page|paper] "" where: page or paper; empty: both
// param: since date "" the earliest, of papers its year; empty: no limit
// param: limit integer[1..1000000] 30 how many sentences
// returns: kind, source, title, date text, sentence, concepts list, relevance, page_number
// example: text="暴雨 积水" limit=10
// cost: the sentences that the full-text index finds; a Chinese word needs two characters; concepts are those named
// needs: sentences
WITH split('\\ " 　 + - & | ! ( ) { } [ ] ^ ~ : / ?', ' ') AS marks
WITH split(reduce(text = toLower($text), mark IN marks | replace(text, mark, ' ')), ' ') AS words
WITH [word IN words WHERE NOT word IN ['', '*']] AS words
WHERE size(words) > 0
WITH [word IN words | CASE WHEN word ENDS WITH '*' THEN '+' + word ELSE '+"' + word + '"' END] AS terms
WITH reduce(query = '', term IN terms | query + term + ' ') AS query
UNWIND ['Sentence[text]', 'Sentence[folded]'] AS index
CALL db.index.fulltext.queryNodes(index, query) YIELD node
WITH DISTINCT node AS s
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
WITH s, kind, source, title, date, relevance, place, page_number
WHERE $since = '' OR date >= CASE kind WHEN 'paper' THEN substring($since, 0, 4) ELSE $since END
ORDER BY kind DESC, coalesce(relevance, -1) DESC, source, place, s.id
LIMIT $limit
OPTIONAL MATCH (s)-[n:NAMES]->(concept:Concept)
WITH s, kind, source, title, date, relevance, place, page_number,
     coalesce(concept.label_zh, concept.label_en) AS label, n.start AS at
ORDER BY at, label
WITH s, kind, source, title, date, relevance, place, page_number, collect(label) AS concepts
RETURN kind, source, title, date, s.text AS sentence, concepts, relevance, page_number
ORDER BY kind DESC, coalesce(relevance, -1) DESC, source, place, s.id
