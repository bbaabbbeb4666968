// title: Write how many links of a crawl lead from hosts to others; those that it had are removed before
// internal: kg.ranking.crawl_ranks
// param: rows list required {host, targets: [{host, links, to_relevant}]}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (a:Host {name: row.host})
UNWIND row.targets AS target
MATCH (b:Host {name: target.host})
CREATE (a)-[:LINKS_TO_HOST {crawl: $crawl, links: target.links, to_relevant: target.to_relevant}]->(b)
RETURN count(*) AS written
