// title: Proposals that no crawl makes and nobody decided about
// internal: kg.health
// returns: id
MATCH (q:Proposal)
WHERE coalesce(q.status, 'proposed') = 'proposed' AND NOT EXISTS { MATCH (q)<-[:PROPOSES]-(:Crawl) }
RETURN q.id AS id
ORDER BY id
