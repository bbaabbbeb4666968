// title: Write the links that a crawl saw on some pages, and which were the first to show a page
// internal: kg.project
// param: rows list required {source, links: [{target, anchor, relevance, kind, leads}]}; leads is [1] for the first link to its target, or empty
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (a:Page {url: row.source})
UNWIND row.links AS link
MATCH (b:Page {url: link.target})
CREATE (a)-[:LINKS_TO {crawl: $crawl, anchor: link.anchor, relevance: link.relevance, kind: link.kind}]->(b)
FOREACH (_ IN link.leads | MERGE (b)<-[:LED_TO {crawl: $crawl}]-(a))
RETURN count(*) AS written
