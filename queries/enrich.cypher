// statement: about
// title: Write the concepts that proposed relations are about
// internal: kg.enrich
// param: rows list required {id, props: {about}}
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
MATCH (c:Concept {iri: row.props.about})
MERGE (q)-[:ABOUT]->(c)
RETURN count(*) AS written

// statement: all_ids
// title: The ids of all proposals
// internal: kg.enrich
// returns: id
MATCH (q:Proposal)
WHERE q.topic IS NOT NULL
RETURN q.id AS id
ORDER BY id

// statement: crawl
// title: What a crawl is
// internal: kg.enrich
// param: crawl text required its id
// returns: strategy, topic, world, started
MATCH (c:Crawl {id: $crawl})
RETURN c.strategy AS strategy, c.topic AS topic, c.world AS world, c.started AS started
ORDER BY strategy

// statement: forget_ends
// title: Remove the concepts of proposals that are about others now
// internal: kg.enrich
// param: rows list required {id, props: {under, about}}
// returns: removed
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})-[e:UNDER|ABOUT]->(c:Concept)
WHERE NOT ((type(e) = 'UNDER' AND c.iri = coalesce(row.props.under, '')) OR
           (type(e) = 'ABOUT' AND c.iri = coalesce(row.props.about, '')))
DELETE e
RETURN count(*) AS removed

// statement: forget_found_in
// title: Remove the sentences by which a crawl proposes something for a topic
// internal: kg.enrich
// param: crawl text required id of the crawl
// param: topic text required name of the topic
// returns: removed
MATCH (q:Proposal {topic: $topic})-[f:FOUND_IN]->(:Page)
WHERE f.crawl = $crawl
DELETE f
RETURN count(*) AS removed

// statement: forget_proposes
// title: Remove what a crawl says of the proposals of a topic
// internal: kg.enrich
// param: crawl text required id of the crawl
// param: topic text required name of the topic
// returns: removed
MATCH (q:Proposal {topic: $topic})<-[s:PROPOSES]-(:Crawl {id: $crawl})
DELETE s
RETURN count(*) AS removed

// statement: found_in
// title: Write the sentences of a crawl's pages that show proposals
// internal: kg.enrich
// param: rows list required {id, page, props}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
MATCH (p:Page {url: row.page})
MERGE (q)-[f:FOUND_IN {crawl: $crawl}]->(p)
SET f += row.props
RETURN count(*) AS written

// statement: ids
// title: The proposals of a topic by id, with their status
// internal: kg.enrich
// param: topic text required name of the topic
// returns: id, status
MATCH (q:Proposal {topic: $topic})
RETURN q.id AS id, q.status AS status
ORDER BY id

// statement: proposal
// title: Write proposals; what is known of one already stays
// internal: kg.enrich
// param: rows list required {id, props}
// returns: written
UNWIND $rows AS row
MERGE (q:Proposal {id: row.id})
SET q += row.props
RETURN count(*) AS written

// statement: proposals
// title: The proposals of a topic
// internal: kg.enrich
// param: topic text required name of the topic
// returns: id, status, term, kind, relation, target, target_label, source, rule, reason, score, pages
MATCH (q:Proposal {topic: $topic})
RETURN q.id AS id, q.status AS status, q.term AS term, q.kind AS kind, q.relation AS relation, q.target AS target,
       q.target_label AS target_label, q.source AS source, q.rule AS rule, q.reason AS reason, q.score AS score,
       q.pages AS pages
ORDER BY score DESC, id

// statement: proposes
// title: Write what a crawl says of its proposals
// internal: kg.enrich
// param: rows list required {id, props}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
MATCH (c:Crawl {id: $crawl})
MERGE (q)<-[s:PROPOSES]-(c)
SET s += row.props
RETURN count(*) AS written

// statement: remove
// title: Remove proposals
// internal: kg.enrich
// param: rows list required {id}
// returns: removed
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
DETACH DELETE q
RETURN count(*) AS removed

// statement: sentences
// title: The sentences of the proposals of a topic
// internal: kg.enrich
// param: topic text required name of the topic
// returns: id, crawl, page, sentence, start, end, rank, fetched, page_number
MATCH (q:Proposal {topic: $topic})-[f:FOUND_IN]->(p:Page)
RETURN q.id AS id, f.crawl AS crawl, p.url AS page, f.sentence AS sentence, f.start AS start, f.end AS end,
       f.rank AS rank, f.fetched AS fetched, f.page_number AS page_number
ORDER BY id, rank, crawl, page

// statement: settled
// title: Write what proposals are by all crawls
// internal: kg.enrich
// param: rows list required {id, props}
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
SET q.kind = row.props.kind, q.relation = row.props.relation, q.target = row.props.target,
    q.target_label = row.props.target_label, q.source = row.props.source, q.rule = row.props.rule,
    q.ontology = coalesce(row.props.ontology, q.ontology),
    q.reason = row.props.reason, q.score = row.props.score, q.pages = row.props.pages
RETURN count(*) AS written

// statement: status
// title: Write the status of proposals
// internal: kg.enrich
// param: rows list required {id, status}
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
SET q.status = row.status
RETURN count(*) AS written

// statement: support
// title: What crawls say of the proposals of a topic, and on how many pages there is a sentence still
// internal: kg.enrich
// param: topic text required name of the topic
// returns: id, crawl, said, present
MATCH (q:Proposal {topic: $topic})<-[s:PROPOSES]-(c:Crawl)
OPTIONAL MATCH (q)-[f:FOUND_IN]->(p:Page)
WHERE f.crawl = c.id
WITH q.id AS id, c.id AS crawl, properties(s) AS said, count(p) AS present
RETURN id, crawl, said, present
ORDER BY id, crawl

// statement: titles
// title: Read the titles of pages
// internal: kg.enrich
// param: rows list required {url}
// returns: url, title
UNWIND $rows AS row
MATCH (:Crawl)-[f:FETCHED]->(p:Page {url: row.url})
WHERE f.title IS NOT NULL
RETURN p.url AS url, max(f.title) AS title
ORDER BY url

// statement: topics
// title: The topics that a crawl proposes something for
// internal: kg.enrich
// param: crawl text required id of the crawl
// returns: topic
MATCH (q:Proposal)<-[:PROPOSES]-(:Crawl {id: $crawl})
RETURN DISTINCT q.topic AS topic
ORDER BY topic

// statement: under
// title: Write the parents of proposed terms, the classes of names, and the ends of relations
// internal: kg.enrich
// param: rows list required {id, props: {under}}
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
MATCH (c:Concept {iri: row.props.under})
MERGE (q)-[:UNDER]->(c)
RETURN count(*) AS written

// statement: withdraw
// title: Remove what crawls say of proposals
// internal: kg.enrich
// param: rows list required {id, crawl}
// returns: removed
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})<-[s:PROPOSES]-(:Crawl {id: row.crawl})
DELETE s
RETURN count(*) AS removed
