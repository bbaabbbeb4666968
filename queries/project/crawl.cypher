// title: Write the node of a crawl
// internal: kg.project
// param: id text required id of the crawl
// param: props list required map of its properties
// returns: id
MERGE (c:Crawl {id: $id})
SET c += $props
RETURN c.id AS id
