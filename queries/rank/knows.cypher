// title: Write figures of pages to the KNOWS relationships of a crawl
// internal: kg.ranking.crawl_ranks
// param: rows list required {url, figures}: figures are the properties
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (:Page {url: row.url})<-[f:KNOWS]-(:Crawl {id: $crawl})
SET f += row.figures
RETURN count(*) AS written
