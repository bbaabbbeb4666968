// title: The number of proposals that a crawl makes for a topic
// internal: kg.health
// param: crawl text required id of the crawl
// param: topic text required name of the topic
// returns: proposals
MATCH (:Crawl {id: $crawl})-[:PROPOSES]->(q:Proposal {topic: $topic})
RETURN count(q) AS proposals
