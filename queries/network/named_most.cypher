// title: The concept that each of some pages of a crawl names most often
// internal: kg.networks
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// returns: url, iri, label_zh, label_en
UNWIND $urls AS url
MATCH (p:Page {url: url})-[m:MENTIONS]->(k:Concept)
WHERE m.crawl = $crawl
WITH p.url AS url, m.count AS mentions, k
ORDER BY url, mentions DESC, k.iri
WITH url, collect({iri: k.iri, zh: k.label_zh, en: k.label_en})[0] AS most
RETURN url, most.iri AS iri, most.zh AS label_zh, most.en AS label_en
ORDER BY url
