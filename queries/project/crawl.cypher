// title: Write the node of a crawl, whose links are about to change
// internal: kg.project
// param: id text required id of the crawl
// param: props list required map of its properties
// returns: id
MERGE (c:Crawl {id: $id})
SET c += $props
REMOVE c.link_figures
RETURN c.id AS id
