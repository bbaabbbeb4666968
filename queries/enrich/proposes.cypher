// title: Write what a crawl says of its proposals
// internal: kg.enrich
// param: rows list required {id, props}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
MATCH (c:Crawl {id: $crawl})
MERGE (q)<-[s:PROPOSES]-(c)
SET s += row.props
RETURN count(*) AS written
