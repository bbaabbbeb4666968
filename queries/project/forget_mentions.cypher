// title: Remove what pages of a crawl do not name any more, after their words were counted again
// internal: kg.project
// param: rows list required {url, iris}: concepts that the page names
// param: crawl text required id of the crawl
// returns: iri
UNWIND $rows AS row
MATCH (:Page {url: row.url})-[m:MENTIONS {crawl: $crawl}]->(c:Concept)
WHERE NOT c.iri IN row.iris
WITH m, c.iri AS iri
DELETE m
RETURN DISTINCT iri
ORDER BY iri
