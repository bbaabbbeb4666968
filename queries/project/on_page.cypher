// title: Write which sentences the pages of a crawl have
// internal: kg.evidence
// param: rows list required {url, id, start, end, title, page_number}
// param: crawl text required id of the crawl
// returns: written
UNWIND $rows AS row
MATCH (p:Page {url: row.url})
MATCH (s:Sentence {id: row.id})
CREATE (s)-[o:ON_PAGE {crawl: $crawl, start: row.start, end: row.end, title: row.title}]->(p)
SET o.page_number = row.page_number
RETURN count(*) AS written
