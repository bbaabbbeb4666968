// statement: crawl
// title: Remove the node of a crawl
// internal: kg.project
// param: crawl text required id of the crawl
// returns: removed
MATCH (c:Crawl {id: $crawl})
DETACH DELETE c
RETURN count(*) AS removed

// statement: crawl_hosts
// title: The hosts of the pages that a crawl fetched or knows
// internal: kg.project
// param: crawl text required id of the crawl
// returns: host
MATCH (:Crawl {id: $crawl})-[:FETCHED|KNOWS]->(:Page)-[:ON_HOST]->(h:Host)
RETURN DISTINCT h.name AS host
ORDER BY host

// statement: fetches
// title: Remove what ties some pages to a crawl
// internal: kg.project
// param: crawl text required id of the crawl
// param: rows list required {url}
// returns: removed
UNWIND $rows AS row
MATCH (:Page {url: row.url})<-[f:FETCHED|KNOWS]-(:Crawl {id: $crawl})
DELETE f
RETURN count(*) AS removed

// statement: host_links
// title: Remove how many links of a crawl lead from hosts to others
// internal: kg.project
// param: rows list required {host}: the hosts at the beginning of the links
// param: crawl text required id of the crawl
// returns: removed
UNWIND $rows AS row
MATCH (:Host {name: row.host})-[l:LINKS_TO_HOST]->(:Host)
WHERE l.crawl = $crawl
DELETE l
RETURN count(*) AS removed

// statement: hosts
// title: Remove hosts without pages
// internal: kg.project
// param: rows list required {name}
// returns: removed
UNWIND $rows AS row
MATCH (h:Host {name: row.name})
WHERE NOT EXISTS { MATCH (h)<-[:ON_HOST]-(:Page) }
DETACH DELETE h
RETURN count(*) AS removed

// statement: links
// title: Remove the links that a crawl saw on some pages
// internal: kg.project
// param: crawl text required id of the crawl
// param: rows list required {url}
// returns: removed
UNWIND $rows AS row
MATCH (:Page {url: row.url})-[r:LINKS_TO|LED_TO]->(:Page)
WHERE r.crawl = $crawl
DELETE r
RETURN count(*) AS removed

// statement: mentions
// title: Remove the mentions that a crawl saw on some pages
// internal: kg.project
// param: crawl text required id of the crawl
// param: rows list required {url}
// returns: removed
UNWIND $rows AS row
MATCH (:Page {url: row.url})-[m:MENTIONS]->(:Concept)
WHERE m.crawl = $crawl
DELETE m
RETURN count(*) AS removed

// statement: pages
// title: Remove pages that no crawl and no link refers to any more
// internal: kg.project
// param: rows list required {url}
// returns: host
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
WHERE NOT EXISTS { MATCH (p)<-[:FETCHED|KNOWS]-(:Crawl) } AND NOT EXISTS { MATCH (p)-[:LINKS_TO]-(:Page) }
OPTIONAL MATCH (p)-[:ON_HOST]->(h:Host)
WITH p, h.name AS host
DETACH DELETE p
RETURN host

// statement: sentences
// title: Remove sentences that no page and no paper has
// internal: kg.evidence
// param: rows list required {id}
// returns: removed
UNWIND $rows AS row
MATCH (s:Sentence {id: row.id})
WHERE NOT EXISTS { MATCH (s)-[:ON_PAGE]->(:Page) } AND NOT EXISTS { MATCH (s)-[:IN_DOCUMENT]->(:Document) }
DETACH DELETE s
RETURN count(*) AS removed

// statement: targets
// title: The pages that some pages link to in a crawl
// internal: kg.project
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// returns: url
UNWIND $urls AS url
MATCH (:Page {url: url})-[r:LINKS_TO]->(b:Page)
WHERE r.crawl = $crawl
RETURN DISTINCT b.url AS url
ORDER BY url
