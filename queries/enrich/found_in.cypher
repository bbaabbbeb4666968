// title: Write the page and the sentence that show a proposal best
// internal: kg.enrich
// param: rows list required {id, page, sentence}
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
MATCH (p:Page {url: row.page})
MERGE (q)-[f:FOUND_IN]->(p)
SET f.sentence = row.sentence
RETURN count(*) AS written
