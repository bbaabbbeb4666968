// title: Write PageRank, authority and hub to the FETCHED relationships of a crawl
// internal: kg.ranking.pagerank
// param: rows list required {url, ranks}: ranks are the properties
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (:Page {url: row.url})<-[f:FETCHED]-(:Crawl {id: $crawl})
SET f += row.ranks
RETURN count(*) AS written
