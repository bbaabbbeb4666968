// title: The pages of a crawl that name two concepts
// answers: Where are these two things spoken of together?
// param: concept text required IRI or label of a concept
// param: also text required IRI or label of another concept
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, relevance, mentions, mentions_also
// example: concept=暴雨 also=城市内涝 limit=10
// cost: the pages that name the first concept
// needs: crawl, fetched, mentions
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (b:Concept)
WHERE b.iri = $also OR b.label_zh = $also OR b.label_en IN [$also, toLower($also)]
WITH c, collect(b.iri) AS others
MATCH (a:Concept)
WHERE a.iri = $concept OR a.label_zh = $concept OR a.label_en IN [$concept, toLower($concept)]
MATCH (a)<-[m:MENTIONS]-(p:Page)
WHERE m.crawl = c.id
MATCH (p)-[n:MENTIONS]->(other:Concept)
WHERE n.crawl = c.id AND other.iri IN others
MATCH (p)<-[f:FETCHED]-(c)
WHERE f.relevance IS NOT NULL
RETURN p.url AS url, f.title AS title, f.relevance AS relevance, sum(m.count) AS mentions,
       sum(n.count) AS mentions_also
ORDER BY relevance DESC, url
LIMIT $limit
