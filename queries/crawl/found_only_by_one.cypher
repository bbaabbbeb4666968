// title: Relevant pages that one crawl found and another did not
// answers: What would I have missed with the other strategy?
// param: one text required id of the crawl that found them
// param: other text required id of the crawl that did not
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, relevance, label, step, known_to_other
// example: one=demo-learned other=demo-breadth_first limit=10
// cost: every relevant page of the first crawl; URLs from which redirects lead to one page are one page
// needs: crawl
MATCH (here:Crawl {id: $one})
MATCH (there:Crawl {id: $other})
CALL (there) {
  MATCH (there)-[r:FETCHED]->(from:Page)
  WHERE r.final_url <> from.url AND r.relevance IS NOT NULL
  RETURN collect(r.final_url) AS led
}
MATCH (here)-[f:FETCHED]->(p:Page)
WHERE f.relevant AND NOT coalesce(f.final_url, p.url) IN led
OPTIONAL MATCH (p)<-[g:FETCHED|KNOWS]-(there)
WITH there, p, f, g, coalesce(f.final_url, p.url) AS page
WHERE g.relevance IS NULL
OPTIONAL MATCH (:Page {url: page})<-[h:FETCHED]-(there)
WHERE h.relevance IS NOT NULL
WITH page, p, f, g, h
WHERE h IS NULL
ORDER BY page, f.step
WITH page, collect({url: p.url, title: f.title, relevance: f.relevance, label: f.label, step: f.step,
     known: g IS NOT NULL}) AS fetches
WITH fetches[0] AS first
RETURN first.url AS url, first.title AS title, first.relevance AS relevance, first.label AS label,
       first.step AS step, first.known AS known_to_other
ORDER BY relevance DESC, url
LIMIT $limit
