// title: Write the links that a crawl saw on some pages
// internal: kg.project
// param: rows list required {source, links: [{target, anchor, relevance}]}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (a:Page {url: row.source})
UNWIND row.links AS link
MATCH (b:Page {url: link.target})
CREATE (a)-[:LINKS_TO {crawl: $crawl, anchor: link.anchor, relevance: link.relevance}]->(b)
RETURN count(*) AS written
