// title: Relevant pages that one crawl found and another did not
// answers: What would I have missed with the other strategy?
// param: one text required id of the crawl that found them
// param: other text required id of the crawl that did not
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, relevance, label, step, known_to_other
// example: one=demo-learned other=demo-breadth_first limit=10
// cost: every relevant page of the first crawl
// needs: crawl
// none: {other} read every page that {one} found relevant, or {one} found none
MATCH (here:Crawl {id: $one})
MATCH (there:Crawl {id: $other})
MATCH (here)-[f:FETCHED]->(p:Page)
WHERE f.relevant
OPTIONAL MATCH (p)<-[g:FETCHED|KNOWS]-(there)
WITH p, f, g
WHERE g.relevance IS NULL
RETURN p.url AS url, f.title AS title, f.relevance AS relevance, f.label AS label, f.step AS step,
       g IS NOT NULL AS known_to_other
ORDER BY relevance DESC, url
LIMIT $limit
