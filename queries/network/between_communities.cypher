// title: The links of a crawl between communities of fetched pages, as stored with its ranks
// internal: kg.networks
// param: crawl text required id of the crawl
// returns: links
MATCH (c:Crawl {id: $crawl})
RETURN c.community_links AS links
