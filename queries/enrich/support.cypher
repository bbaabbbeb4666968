// title: What crawls say of the proposals of a topic, and on how many pages there is a sentence still
// internal: kg.enrich
// param: topic text required name of the topic
// returns: id, crawl, said, present
MATCH (q:Proposal {topic: $topic})<-[s:PROPOSES]-(c:Crawl)
OPTIONAL MATCH (q)-[f:FOUND_IN]->(p:Page)
WHERE f.crawl = c.id
WITH q.id AS id, c.id AS crawl, properties(s) AS said, count(p) AS present
RETURN id, crawl, said, present
ORDER BY id, crawl
