// title: Remove the proposals of a crawl that nobody has reviewed
// internal: kg.enrich
// param: crawl text required id of the crawl
// returns: removed
MATCH (q:Proposal {crawl: $crawl})
WHERE q.status = 'proposed'
DETACH DELETE q
RETURN count(*) AS removed
