// title: The version of the figures of links that are stored with a crawl
// internal: kg.ranking.stored
// param: crawl text required id of the crawl; empty: the newest one
// returns: id, version
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
RETURN c.id AS id, c.link_figures AS version
