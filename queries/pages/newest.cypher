// title: The newest relevant pages of a crawl, on a concept or on all
// answers: What was published last on the topic, or about this concept?
// param: concept text "" IRI or label of a concept that the pages name; empty: any page
// param: since date "" the earliest; empty: no limit
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many pages
// returns: published, url, title, relevance, host, sentence
// example: concept=台风 since=2012-01-01 limit=10
// cost: every page that the crawl fetched; sentence is the first that names the concept
// needs: crawl, fetched, relevant, dated
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevant AND f.published IS NOT NULL AND f.published >= $since
  AND ($concept = '' OR EXISTS {
    MATCH (p)-[m:MENTIONS]->(k:Concept)
    WHERE m.crawl = c.id
      AND (k.iri = $concept OR k.label_zh = $concept OR k.label_en IN [$concept, toLower($concept)])
  })
WITH c, p, f
ORDER BY f.published DESC, p.url
LIMIT $limit
MATCH (p)-[:ON_HOST]->(h:Host)
OPTIONAL MATCH (p)-[m:MENTIONS]->(k:Concept)
WHERE m.crawl = c.id AND $concept <> ''
  AND (k.iri = $concept OR k.label_zh = $concept OR k.label_en IN [$concept, toLower($concept)])
RETURN f.published AS published, p.url AS url, f.title AS title, f.relevance AS relevance, h.name AS host,
       min(m.sentence) AS sentence
ORDER BY published DESC, url
