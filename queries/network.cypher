// statement: beside
// title: The pages of a crawl that a link joins with one of some pages, fetched ones and high PageRanks first
// internal: kg.networks
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// param: limit integer required how many pages, those of urls included where links join them
// returns: url, fetched, pagerank
MATCH (c:Crawl {id: $crawl})
UNWIND $urls AS url
MATCH (:Page {url: url})-[l:LINKS_TO]-(q:Page)
WHERE l.crawl = $crawl
WITH DISTINCT c, q
MATCH (q)<-[r:FETCHED|KNOWS]-(c)
RETURN q.url AS url, type(r) = 'FETCHED' AS fetched, r.pagerank AS pagerank
ORDER BY fetched DESC, coalesce(pagerank, 0.0) DESC, url
LIMIT $limit

// statement: between_communities
// title: The links of a crawl between communities of fetched pages, as stored with its ranks
// internal: kg.networks
// param: crawl text required id of the crawl
// returns: links
MATCH (c:Crawl {id: $crawl})
RETURN c.community_links AS links

// statement: concepts
// title: The concepts of some ontologies, and how many of these have each
// internal: kg.networks
// param: ontologies list required keys of the ontologies
// returns: iri, ontologies integer, props
MATCH (o:Ontology)<-[:IN_ONTOLOGY]-(concept:Concept)
WHERE o.iri IN $ontologies
WITH concept, count(*) AS ontologies
RETURN concept.iri AS iri, ontologies, properties(concept) AS props
ORDER BY iri

// statement: favoured
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

// statement: fetched
// title: The pages that a crawl fetched without failure, with all that it saw of them
// internal: kg.networks
// param: crawl text required id of the crawl
// returns: url, host, props
MATCH (:Crawl {id: $crawl})-[f:FETCHED]->(p:Page)-[:ON_HOST]->(h:Host)
WHERE f.failure IS NULL
RETURN p.url AS url, h.name AS host, properties(f) AS props

// statement: known
// title: The pages that a crawl knows and did not fetch, with their ranks and the reason
// internal: kg.networks
// param: crawl text required id of the crawl
// returns: url, host, props
MATCH (:Crawl {id: $crawl})-[k:KNOWS]->(p:Page)-[:ON_HOST]->(h:Host)
RETURN p.url AS url, h.name AS host, properties(k) AS props

// statement: links
// title: The pages that the links of some pages lead to, as a crawl saw them, in no order
// internal: kg.networks
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// returns: source, targets
UNWIND $urls AS url
MATCH (a:Page {url: url})-[l:LINKS_TO]->(b:Page)
WHERE l.crawl = $crawl
RETURN a.url AS source, collect(b.url) AS targets

// statement: named_most
// title: The concept that each of some pages of a crawl names most often
// internal: kg.networks
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// returns: url, iri, label_zh, label_en
UNWIND $urls AS url
MATCH (p:Page {url: url})-[m:MENTIONS]->(k:Concept)
WHERE m.crawl = $crawl
WITH p.url AS url, m.count AS mentions, k
ORDER BY url, mentions DESC, k.iri
WITH url, collect({iri: k.iri, zh: k.label_zh, en: k.label_en})[0] AS most
RETURN url, most.iri AS iri, most.zh AS label_zh, most.en AS label_en
ORDER BY url

// statement: ontologies
// title: The keys of the ontologies that an IRI, with or without its version, or a topic names
// internal: kg.networks
// param: named text required IRI of an ontology or of a version, or name of a topic; empty: all
// returns: iri
MATCH (o:Ontology)
WHERE $named = '' OR o.iri = $named OR o.series = $named OR o.topic = $named
RETURN o.iri AS iri
ORDER BY iri

// statement: pages
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

// statement: rank_classes
// title: How many pages that a crawl fetched have a PageRank in each class, the highest first
// internal: kg.networks
// param: crawl text required id of the crawl
// param: fine number required classes for each factor of e
// returns: class number, pages integer
MATCH (c:Crawl {id: $crawl})-[r:FETCHED]->()
WHERE r.pagerank > 0
RETURN floor(log(r.pagerank) * $fine) AS class, count(*) AS pages
ORDER BY class DESC

// statement: relations
// title: The relations between concepts that some ontologies assert
// internal: kg.networks
// param: ontologies list required keys of the ontologies
// param: iris list required IRIs of the concepts at their start
// returns: source, target, relation, props
UNWIND $iris AS iri
MATCH (a:Concept {iri: iri})-[r:SUBCLASS_OF|PART_OF|EQUIVALENT_TO|CAUSES|MEASURED_BY]->(b:Concept)
WHERE r.ontology IN $ontologies
RETURN a.iri AS source, b.iri AS target, type(r) AS relation, properties(r) AS props
ORDER BY source, target, relation, r.ontology
