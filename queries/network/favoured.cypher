// title: What a crawl knows of the pages that it fetched and that links favour, the highest PageRank first
// internal: kg.networks
// param: crawl text required id of the crawl
// param: least number required PageRank from which a page is read at all
// param: limit integer required how many pages
// returns: url, host, fetched, title, relevance, relevant, label, pagerank, community, step, waits
MATCH (c:Crawl {id: $crawl})-[r:FETCHED]->(p)
WHERE r.pagerank >= $least
OPTIONAL MATCH (p)-[:ON_HOST]->(h:Host)
RETURN p.url AS url, h.name AS host, true AS fetched, r.title AS title, r.relevance AS relevance,
       r.relevant AS relevant, r.label AS label, r.pagerank AS pagerank, r.community AS community, r.step AS step,
       r.reason AS waits
ORDER BY pagerank DESC, url
LIMIT $limit
