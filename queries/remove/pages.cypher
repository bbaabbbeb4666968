// title: Remove pages that no crawl and no link refers to any more
// internal: kg.project
// param: rows list required {url}
// returns: host
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
WHERE NOT EXISTS { MATCH (p)<-[:FETCHED|KNOWS]-(:Crawl) } AND NOT EXISTS { MATCH (p)-[:LINKS_TO]-(:Page) }
OPTIONAL MATCH (p)-[:ON_HOST]->(h:Host)
WITH p, h.name AS host
DETACH DELETE p
RETURN host
