// title: How many pages that a crawl fetched have a PageRank in each class, the highest first
// internal: kg.networks
// param: crawl text required id of the crawl
// param: fine number required classes for each factor of e
// returns: class number, pages integer
MATCH (c:Crawl {id: $crawl})-[r:FETCHED]->()
WHERE r.pagerank > 0
RETURN floor(log(r.pagerank) * $fine) AS class, count(*) AS pages
ORDER BY class DESC
