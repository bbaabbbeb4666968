// title: The figures of links that are stored with a crawl are complete
// internal: kg.ranking.stored
// param: rows list required {crawl, figures}: figures of the crawl by property, the version of all among them
// returns: id
UNWIND $rows AS row
MATCH (c:Crawl {id: row.crawl})
SET c += row.figures
RETURN c.id AS id
