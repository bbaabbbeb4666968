// statement: anchors
// title: The pages that a crawl read, with the anchor texts of the links to them
// internal: kg.ranking.link_graph
// param: crawl text required id of the crawl
// returns: url, relevant, anchors
MATCH (:Crawl {id: $crawl})-[f:FETCHED]->(p:Page)
WHERE f.relevance IS NOT NULL
OPTIONAL MATCH (p)<-[l:LINKS_TO {crawl: $crawl}]-(:Page)
WHERE l.anchor <> ''
WITH p, f, collect(DISTINCT l.anchor) AS anchors
RETURN p.url AS url, coalesce(f.relevant, false) AS relevant, anchors
ORDER BY url

// statement: complete
// title: The figures of links that are stored with a crawl are complete
// internal: kg.ranking.stored
// param: rows list required {crawl, figures}: figures of the crawl by property, the version of all among them
// returns: id
UNWIND $rows AS row
MATCH (c:Crawl {id: row.crawl})
SET c += row.figures
RETURN c.id AS id

// statement: crawl
// title: A crawl in the graph, with its seeds
// internal: kg.ranking.link_graph
// param: crawl text required id of the crawl
// returns: id, seeds
MATCH (c:Crawl {id: $crawl})
RETURN c.id AS id, c.seeds AS seeds

// statement: fetched
// title: Write figures of pages to the FETCHED relationships of a crawl
// internal: kg.ranking.crawl_ranks
// param: rows list required {url, figures}: figures are the properties
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (:Page {url: row.url})<-[f:FETCHED]-(:Crawl {id: $crawl})
SET f += row.figures
RETURN count(*) AS written

// statement: forget
// title: The figures of links that are stored with a crawl are not complete
// internal: kg.ranking.stored
// param: crawl text required id of the crawl
// returns: id
MATCH (c:Crawl {id: $crawl})
REMOVE c.link_figures
RETURN c.id AS id

// statement: host_links
// title: Write how many links of a crawl lead from hosts to others; those that it had are removed before
// internal: kg.ranking.crawl_ranks
// param: rows list required {host, targets: [{host, links, to_relevant}]}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (a:Host {name: row.host})
UNWIND row.targets AS target
MATCH (b:Host {name: target.host})
CREATE (a)-[:LINKS_TO_HOST {crawl: $crawl, links: target.links, to_relevant: target.to_relevant}]->(b)
RETURN count(*) AS written

// statement: knows
// title: Write figures of pages to the KNOWS relationships of a crawl
// internal: kg.ranking.crawl_ranks
// param: rows list required {url, figures}: figures are the properties
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (:Page {url: row.url})<-[f:KNOWS]-(:Crawl {id: $crawl})
SET f += row.figures
RETURN count(*) AS written

// statement: links
// title: The links that a crawl saw on some pages, and which of them were the first to show a page
// internal: kg.ranking.link_graph
// param: crawl text required id of the crawl
// param: nodes list required element ids of the pages
// returns: source, kind, targets, relevances
UNWIND $nodes AS node
MATCH (a:Page)-[r:LINKS_TO|LED_TO]->(b:Page)
WHERE elementId(a) = node AND r.crawl = $crawl
RETURN node AS source, type(r) AS kind, collect(elementId(b)) AS targets,
       collect(coalesce(r.relevance, 0.0)) AS relevances

// statement: nodes
// title: The pages that a crawl fetched or knows, with their hosts, their relevance and the ranks that they have
// internal: kg.ranking.link_graph
// param: crawl text required id of the crawl
// returns: node, url, host, fetched, relevance, relevant, pagerank, hub
MATCH (:Crawl {id: $crawl})-[r:FETCHED|KNOWS]->(p:Page)
OPTIONAL MATCH (p)-[:ON_HOST]->(h:Host)
RETURN elementId(p) AS node, p.url AS url, h.name AS host, type(r) = 'FETCHED' AS fetched, r.relevance AS relevance, r.relevant AS relevant,
       r.pagerank AS pagerank, r.hub AS hub

// statement: pages
// title: The pages that a crawl fetched or knows
// internal: kg.project
// param: crawl text required id of the crawl
// returns: url
MATCH (:Crawl {id: $crawl})-[:FETCHED|KNOWS]->(p:Page)
RETURN p.url AS url

// statement: pages_of_nodes
// title: The URLs and hosts of some pages
// internal: kg.ranking.link_graph
// param: nodes list required element ids of the pages
// returns: node, url, host
UNWIND $nodes AS node
MATCH (p:Page)
WHERE elementId(p) = node
OPTIONAL MATCH (p)-[:ON_HOST]->(h:Host)
RETURN node, p.url AS url, max(h.name) AS host

// statement: stored
// title: The version of the figures of links that are stored with a crawl
// internal: kg.ranking.stored
// param: crawl text required id of the crawl; empty: the newest one
// returns: id, version
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
RETURN c.id AS id, c.link_figures AS version
