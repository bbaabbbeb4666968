// title: Proposals of each topic by kind and status
// answers: How far is the review of what crawls propose?
// param: limit integer[1..1000000] 30 how many rows
// param: names integer[1..1000] 5 how many terms of each
// returns: topic, kind, status, terms, crawls, best_score, examples
// lists: examples
// example: limit=10
// cost: every proposal of every crawl
// needs: any_proposals
MATCH (q:Proposal)
OPTIONAL MATCH (q)<-[:PROPOSES]-(c:Crawl)
WITH q, count(DISTINCT c.id) AS crawls
ORDER BY q.score DESC, q.id
WITH q.topic AS topic, q.kind AS kind, q.status AS status, count(*) AS terms, max(crawls) AS most_crawls,
     max(q.score) AS best_score, collect(q.term)[0..$names] AS examples
RETURN topic, kind, status, terms, most_crawls AS crawls, best_score, examples
ORDER BY topic, kind, status
LIMIT $limit
