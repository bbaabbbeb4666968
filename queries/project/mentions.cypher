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
