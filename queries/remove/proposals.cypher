// title: Remove the proposals of a crawl
// internal: kg.project
// param: crawl text required id of the crawl
// returns: removed
MATCH (q:Proposal {crawl: $crawl})
DETACH DELETE q
RETURN count(*) AS removed
