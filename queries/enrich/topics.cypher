// title: The topics that a crawl proposes something for
// internal: kg.enrich
// param: crawl text required id of the crawl
// returns: topic
MATCH (q:Proposal)<-[:PROPOSES]-(:Crawl {id: $crawl})
RETURN DISTINCT q.topic AS topic
ORDER BY topic
