// title: The classes that relevant pages of a crawl are about, with scores
// answers: Which classes is each page about, and how much?
// param: url text "" URL of a page, relevant or not; empty: each relevant page
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many pages
// param: names integer[1..1000] 5 how many classes of each
// returns: url, title, relevance, concepts list, scores list, iris
// lists: concepts, scores, iris
// example: limit=10
// cost: every relevant page of the crawl with its mentions; a score is count times weight of a class, as a share of the
// cost: sum over all classes that the page names
// needs: crawl, fetched, mentions
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevance IS NOT NULL AND (p.url = $url OR ($url = '' AND f.relevant))
MATCH (p)-[m:MENTIONS]->(concept:Concept)
WHERE m.crawl = c.id
WITH p, f, concept, m.count * m.weight AS part
ORDER BY part DESC, concept.iri
WITH p, f, sum(part) AS whole,
     collect({iri: concept.iri, label: coalesce(concept.label_zh, concept.label_en), part: part}) AS named
ORDER BY f.relevance DESC, p.url
LIMIT $limit
RETURN p.url AS url, f.title AS title, f.relevance AS relevance, [one IN named | one.label][0..$names] AS concepts,
       [one IN named | CASE WHEN whole = 0 THEN 0.0 ELSE one.part / whole END][0..$names] AS scores,
       [one IN named | one.iri][0..$names] AS iris
ORDER BY relevance DESC, url
