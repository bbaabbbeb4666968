// statement: concepts
// title: Which of some concepts are in the graph
// internal: kg.project
// param: iris list required their IRIs
// returns: iri
UNWIND $iris AS iri
MATCH (c:Concept {iri: iri})
RETURN c.iri AS iri
ORDER BY iri

// statement: crawl
// title: Write the node of a crawl, whose links are about to change
// internal: kg.project
// param: id text required id of the crawl
// param: props list required map of its properties
// returns: id
MERGE (c:Crawl {id: $id})
SET c += $props
REMOVE c.link_figures
RETURN c.id AS id

// statement: earlier_links
// title: The links that a crawl saw on some pages, with their properties
// internal: kg.project
// param: crawl text required id of the crawl
// param: urls list required URLs of the pages
// returns: source, target, anchor, relevance, kind
UNWIND $urls AS url
MATCH (a:Page {url: url})-[r:LINKS_TO]->(b:Page)
WHERE r.crawl = $crawl
RETURN a.url AS source, b.url AS target, r.anchor AS anchor, r.relevance AS relevance, r.kind AS kind
ORDER BY source, target, anchor, relevance, kind

// statement: fetched
// title: Write the FETCHED relationships of a crawl
// internal: kg.project
// param: rows list required {url, props}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (c:Crawl {id: $crawl})
MERGE (p)<-[r:FETCHED]-(c)
SET r += row.props
RETURN count(*) AS written

// statement: forget_known
// title: Pages that have been fetched are no longer only known
// internal: kg.project
// param: rows list required {url}
// param: crawl text required id of the crawl
// returns: removed
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
WITH p
MATCH (p)<-[k:KNOWS]-(:Crawl {id: $crawl})
DELETE k
RETURN count(*) AS removed

// statement: forget_links
// title: Take out links that a crawl saw, before those of their pages are written again
// internal: kg.project
// param: rows list required {source, target}
// param: crawl text required id of the crawl
// returns: removed
UNWIND $rows AS row
MATCH (b:Page {url: row.target})<-[r:LINKS_TO {crawl: $crawl}]-(a:Page)
WHERE a.url = row.source
DELETE r
RETURN count(*) AS removed

// statement: forget_mentions
// title: Remove what pages of a crawl do not name any more, after their words were counted again
// internal: kg.project
// param: rows list required {url, iris}: concepts that the page names
// param: crawl text required id of the crawl
// returns: iri
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
// Without WITH, a Neo4j begins at all concepts: those of an ontology of 30,000 classes for each page.
WITH p, row
MATCH (p)-[m:MENTIONS {crawl: $crawl}]->(c:Concept)
WHERE NOT c.iri IN row.iris
WITH m, c.iri AS iri
DELETE m
RETURN DISTINCT iri
ORDER BY iri

// statement: forget_on_page
// title: Forget which sentences some pages of a crawl have
// internal: kg.evidence
// param: rows list required {url}
// param: crawl text required id of the crawl
// returns: id
UNWIND $rows AS row
MATCH (:Page {url: row.url})<-[o:ON_PAGE]-(s:Sentence)
WHERE o.crawl = $crawl
WITH o, s.id AS id
DELETE o
RETURN DISTINCT id
ORDER BY id

// statement: hosts
// title: Write hosts
// internal: kg.project
// param: rows list required {name}
// returns: written
UNWIND $rows AS row
MERGE (h:Host {name: row.name})
RETURN count(*) AS written

// statement: knows
// title: Write the KNOWS relationships of a crawl
// internal: kg.project
// param: rows list required {url, props}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (c:Crawl {id: $crawl})
MERGE (p)<-[r:KNOWS]-(c)
SET r += row.props
RETURN count(*) AS written

// statement: led_to
// title: Write which links were the first to show a page, where the links are there already
// internal: kg.project
// param: rows list required {source, target}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (a:Page {url: row.source})
MATCH (b:Page {url: row.target})
MERGE (b)<-[:LED_TO {crawl: $crawl}]-(a)
RETURN count(*) AS written

// statement: links
// title: Write the links that a crawl saw on some pages, and which were the first to show a page
// internal: kg.project
// param: rows list required {source, links: [{target, anchor, relevance, kind, leads}]}; source and target are element ids, leads is [1] for the first link to its target, or empty
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (a:Page)
WHERE elementId(a) = row.source
UNWIND row.links AS link
MATCH (b:Page)
WHERE elementId(b) = link.target
CREATE (a)-[:LINKS_TO {crawl: $crawl, anchor: link.anchor, relevance: link.relevance, kind: link.kind}]->(b)
FOREACH (_ IN link.leads | MERGE (b)<-[:LED_TO {crawl: $crawl}]-(a))
RETURN count(*) AS written

// statement: mentions
// title: Write which concepts the pages of a crawl name
// internal: kg.project
// param: rows list required {url, mentions: [{iri, count, weight, sentence, start, end}]}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
UNWIND row.mentions AS mention
MATCH (c:Concept {iri: mention.iri})
MERGE (p)-[m:MENTIONS {crawl: $crawl}]->(c)
SET m.count = mention.count, m.weight = mention.weight,
    m.sentence = mention.sentence, m.start = mention.start, m.end = mention.end
RETURN count(*) AS written

// statement: names
// title: Write which concepts a sentence names, and where in it
// internal: kg.evidence
// param: rows list required {id, iri, start, end}
// returns: written
UNWIND $rows AS row
MATCH (s:Sentence {id: row.id})
MATCH (c:Concept {iri: row.iri})
MERGE (s)-[n:NAMES]->(c)
SET n.start = row.start, n.end = row.end
RETURN count(*) AS written

// statement: nodes
// title: The element ids of pages
// internal: kg.project
// param: urls list required URLs of the pages
// returns: url, node
UNWIND $urls AS url
MATCH (p:Page {url: url})
RETURN p.url AS url, elementId(p) AS node

// statement: on_page
// title: Write which sentences the pages of a crawl have
// internal: kg.evidence
// param: rows list required {url, sentences: [{id, start, end, title, page_number}]}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
UNWIND row.sentences AS one
MATCH (s:Sentence {id: one.id})
CREATE (s)-[:ON_PAGE {crawl: $crawl, start: one.start, end: one.end, title: one.title, page_number: one.page_number}]->(p)
RETURN count(*) AS written

// statement: pages
// title: Write pages and their hosts' relationships
// internal: kg.project
// param: rows list required {url, host}: the hosts are in the graph
// returns: written
UNWIND $rows AS row
MATCH (h:Host {name: row.host})
MERGE (p:Page {url: row.url})
MERGE (p)-[:ON_HOST]->(h)
RETURN count(*) AS written

// statement: sentences
// title: Write sentences; equal ones are one node
// internal: kg.evidence
// param: rows list required {id, text, folded}: folded is the text in simplified characters, null where it is the same
// returns: written
UNWIND $rows AS row
MERGE (s:Sentence {id: row.id})
FOREACH (_ IN CASE WHEN s.text IS NULL OR coalesce(s.folded, '') <> coalesce(row.folded, '') THEN [1] ELSE [] END |
  SET s.text = row.text, s.folded = row.folded)
RETURN count(*) AS written
