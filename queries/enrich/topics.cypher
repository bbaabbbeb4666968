// title: The topics that a crawl proposes something for
// internal: kg.enrich
// param: crawl text required id of the crawl; empty: all topics with proposals
// returns: topic
MATCH (q:Proposal)
WHERE q.topic IS NOT NULL AND ($crawl = '' OR EXISTS { MATCH (q)<-[:PROPOSES]-(:Crawl {id: $crawl}) })
RETURN DISTINCT q.topic AS topic
ORDER BY topic
