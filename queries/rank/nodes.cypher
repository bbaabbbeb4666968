// title: The pages that a crawl fetched or knows, with their hosts, their relevance and the ranks that they have
// internal: kg.ranking.link_graph
// param: crawl text required id of the crawl
// returns: url, host, fetched, relevance, relevant, pagerank, hub
MATCH (:Crawl {id: $crawl})-[r:FETCHED|KNOWS]->(p:Page)
OPTIONAL MATCH (p)-[:ON_HOST]->(h:Host)
RETURN p.url AS url, h.name AS host, type(r) = 'FETCHED' AS fetched, r.relevance AS relevance, r.relevant AS relevant,
       r.pagerank AS pagerank, r.hub AS hub
