// title: Pages of a crawl that speak for a subclass relation
// answers: Does the web name the narrower concept together with the broader one, and how often of all times?
// param: narrower text required IRI or label of the narrower concept
// param: broader text required IRI or label of the broader concept
// param: crawl text newest id of the crawl
// returns: narrower_pages, broader_pages, both, confidence, best_page
// example: narrower=城市内涝 broader=洪涝
// cost: the pages that name one of the two; confidence is both / narrower_pages
// needs: crawl, fetched, mentions
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (a:Concept)
WHERE a.iri = $narrower OR a.label_zh = $narrower OR a.label_en IN [$narrower, toLower($narrower)]
MATCH (b:Concept)
WHERE b.iri = $broader OR b.label_zh = $broader OR b.label_en IN [$broader, toLower($broader)]
MATCH (a)<-[m:MENTIONS]-(p:Page)
WHERE m.crawl = c.id
MATCH (p)<-[f:FETCHED]-(c)
WHERE f.relevance IS NOT NULL
OPTIONAL MATCH (p)-[n:MENTIONS]->(b)
WHERE n.crawl = c.id
WITH c, b, p, n, f
ORDER BY f.relevance DESC, p.url
WITH c, b, count(DISTINCT p.url) AS narrower_pages, collect(DISTINCT CASE WHEN n IS NOT NULL THEN p.url END) AS both
RETURN narrower_pages, COUNT { MATCH (b)<-[x:MENTIONS]-(:Page) WHERE x.crawl = c.id } AS broader_pages,
       size(both) AS both, 1.0 * size(both) / narrower_pages AS confidence, both[0] AS best_page
ORDER BY b.iri
