// title: Remove the sentences by which a crawl proposes something for a topic
// internal: kg.enrich
// param: crawl text required id of the crawl
// param: topic text required name of the topic
// returns: removed
MATCH (q:Proposal {topic: $topic})-[f:FOUND_IN]->(:Page)
WHERE f.crawl = $crawl
DELETE f
RETURN count(*) AS removed
