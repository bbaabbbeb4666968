// title: Write which concepts the pages of a crawl name
// internal: kg.project
// param: rows list required {url, iri, props}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (c:Concept {iri: row.iri})
MERGE (p)-[m:MENTIONS {crawl: $crawl}]->(c)
SET m += row.props
RETURN count(*) AS written
