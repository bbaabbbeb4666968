// title: What a crawl knows of some pages that it fetched or saw
// internal: kg.networks
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// returns: url, host, fetched, title, relevance, relevant, label, pagerank, community, step, waits
UNWIND $urls AS url
MATCH (p:Page {url: url})<-[r:FETCHED|KNOWS]-(:Crawl {id: $crawl})
OPTIONAL MATCH (p)-[:ON_HOST]->(h:Host)
RETURN p.url AS url, h.name AS host, type(r) = 'FETCHED' AS fetched, r.title AS title, r.relevance AS relevance,
       r.relevant AS relevant, r.label AS label, r.pagerank AS pagerank, r.community AS community, r.step AS step,
       r.reason AS waits
ORDER BY url
