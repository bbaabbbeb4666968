// title: Remove what a crawl says of the proposals of a topic
// internal: kg.enrich
// param: crawl text required id of the crawl
// param: topic text required name of the topic
// returns: removed
MATCH (q:Proposal {topic: $topic})<-[s:PROPOSES]-(:Crawl {id: $crawl})
DELETE s
RETURN count(*) AS removed
