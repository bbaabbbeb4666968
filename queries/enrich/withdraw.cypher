// title: Remove what crawls say of proposals
// internal: kg.enrich
// param: rows list required {id, crawl}
// returns: removed
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})<-[s:PROPOSES]-(:Crawl {id: row.crawl})
DELETE s
RETURN count(*) AS removed
