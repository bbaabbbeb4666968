// title: Write PageRank to the FETCHED relationships of a crawl
// internal: kg.pagerank
// param: rows list required {url, pagerank}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (:Page {url: row.url})<-[f:FETCHED]-(:Crawl {id: $crawl})
SET f.pagerank = row.pagerank
RETURN count(*) AS written
