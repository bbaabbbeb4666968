// statement: crawl_links
// title: Number of the links of a crawl
// internal: kg.health
// param: crawl text required id of the crawl
// returns: rows
MATCH (:Crawl {id: $crawl})-[:FETCHED]->(p:Page)-[r:LINKS_TO]->(:Page)
WHERE r.crawl = $crawl
RETURN count(r) AS rows

// statement: crawl_rows
// title: Numbers of the relationships of a crawl
// internal: kg.health
// param: crawl text required id of the crawl
// returns: kind, rows
MATCH (c:Crawl {id: $crawl})-[r:FETCHED|KNOWS]->(p:Page)
RETURN type(r) AS kind, count(r) AS rows
ORDER BY kind

// statement: crawls
// title: The crawls in the graph, and whether each was written to its end
// internal: kg.health
// returns: crawl, complete
MATCH (c:Crawl)
RETURN c.id AS crawl, c.complete AS complete
ORDER BY crawl

// statement: ontologies
// title: The ontologies in the graph, with what was noted when each was loaded
// internal: kg.health
// returns: iri, topic, digest, papers
MATCH (o:Ontology)
RETURN o.iri AS iri, o.topic AS topic, o.digest AS digest, o.papers AS papers
ORDER BY iri

// statement: proposals
// title: The number of proposals that a crawl makes for a topic
// internal: kg.health
// param: crawl text required id of the crawl
// param: topic text required name of the topic
// returns: proposals
MATCH (:Crawl {id: $crawl})-[:PROPOSES]->(q:Proposal {topic: $topic})
RETURN count(q) AS proposals

// statement: unranked
// title: Number of fetched pages of a crawl without PageRank
// internal: kg.health
// param: crawl text required id of the crawl
// returns: pages
MATCH (c:Crawl {id: $crawl})-[f:FETCHED]->(p:Page)
WHERE f.pagerank IS NULL
RETURN count(f) AS pages

// statement: unsupported
// title: Proposals that no crawl makes and nobody decided about
// internal: kg.health
// returns: id
MATCH (q:Proposal)
WHERE coalesce(q.status, 'proposed') = 'proposed' AND NOT EXISTS { MATCH (q)<-[:PROPOSES]-(:Crawl) }
RETURN q.id AS id
ORDER BY id
