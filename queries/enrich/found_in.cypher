// title: Write the sentences of a crawl's pages that show proposals
// internal: kg.enrich
// param: rows list required {id, page, props}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
MATCH (p:Page {url: row.page})
MERGE (q)-[f:FOUND_IN {crawl: $crawl}]->(p)
SET f += row.props
RETURN count(*) AS written
