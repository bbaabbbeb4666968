// title: The figures of links that are stored with a crawl are not complete
// internal: kg.ranking.stored
// param: crawl text required id of the crawl
// returns: id
MATCH (c:Crawl {id: $crawl})
REMOVE c.link_figures
RETURN c.id AS id
