// title: Forget which sentences some pages of a crawl have
// internal: kg.evidence
// param: rows list required {url}
// param: crawl text required id of the crawl
// returns: id
UNWIND $rows AS row
MATCH (:Page {url: row.url})<-[o:ON_PAGE]-(s:Sentence)
WHERE o.crawl = $crawl
WITH o, s.id AS id
DELETE o
RETURN DISTINCT id
ORDER BY id
