// title: The sentences of the proposals of a topic
// internal: kg.enrich
// param: topic text required name of the topic
// returns: id, crawl, page, sentence, start, end, rank, fetched, page_number
MATCH (q:Proposal {topic: $topic})-[f:FOUND_IN]->(p:Page)
RETURN q.id AS id, f.crawl AS crawl, p.url AS page, f.sentence AS sentence, f.start AS start, f.end AS end,
       f.rank AS rank, f.fetched AS fetched, f.page_number AS page_number
ORDER BY id, rank, crawl, page
