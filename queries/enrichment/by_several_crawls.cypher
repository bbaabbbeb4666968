// title: Proposals by the number of crawls that make them
// answers: Which new terms come up again and again?
// param: least integer[1..] 1 least number of crawls
// param: limit integer[1..1000000] 30 how many proposals
// returns: id, term, kind, crawls, pages, best_score, status
// example: limit=10
// cost: every proposal of every crawl; pages are those of the crawl that has the most
// needs: any_proposals
MATCH (q:Proposal)<-[s:PROPOSES]-(c:Crawl)
WITH q, count(DISTINCT c.id) AS crawls, max(s.pages) AS pages, max(s.score) AS best_score
WHERE crawls >= $least
RETURN q.id AS id, q.term AS term, q.kind AS kind, crawls, pages, best_score, q.status AS status
ORDER BY crawls DESC, best_score DESC, id
LIMIT $limit
