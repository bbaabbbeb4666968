// title: The sentences that show a proposal
// answers: On which pages does a proposed term stand, and in which sentences?
// param: proposal text required id or term of the proposal
// param: limit integer[1..1000000] 30 how many sentences
// returns: id, crawl, page, sentence, start, end, page_number
// example: proposal=海绵城市 limit=10
// cost: the sentences of the proposal
// needs: any_proposals, proposal
MATCH (q:Proposal)
WHERE q.id = $proposal OR q.term = $proposal
MATCH (q)-[f:FOUND_IN]->(p:Page)
RETURN q.id AS id, f.crawl AS crawl, p.url AS page, f.sentence AS sentence, f.start AS start, f.end AS end,
       f.page_number AS page_number
ORDER BY id, f.rank, crawl, page
LIMIT $limit
