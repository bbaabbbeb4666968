// title: Proposed terms by the number of crawls that found them
// answers: Which new terms come up again and again?
// param: least integer[1..] 1 least number of crawls
// param: limit integer[1..1000000] 30 how many terms
// returns: term, crawls, pages, best_score, status list
// example: limit=10
// cost: every proposal of every crawl
// needs: any_proposals
MATCH (q:Proposal)
WITH q
ORDER BY q.term, q.status, q.crawl
WITH q.term AS term, count(DISTINCT q.crawl) AS crawls, sum(q.pages) AS pages, max(q.score) AS best_score,
     collect(DISTINCT q.status) AS status
WHERE crawls >= $least
RETURN term, crawls, pages, best_score, status
ORDER BY crawls DESC, best_score DESC, term
LIMIT $limit
