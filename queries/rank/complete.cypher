// title: The figures of links that are stored with a crawl are complete
// internal: kg.ranking.stored
// param: crawl text required id of the crawl
// param: version integer required version of the figures
// param: modularity number required modularity of the crawl's communities
// returns: id
MATCH (c:Crawl {id: $crawl})
SET c.link_figures = $version, c.modularity = $modularity
RETURN c.id AS id
