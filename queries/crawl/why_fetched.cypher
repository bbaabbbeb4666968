// title: How a crawl came to a page
// answers: Over which links, from which seed, was this page found, and why was each one chosen?
// param: url text required URL of the page
// param: crawl text "" id of the crawl; empty: the newest one
// returns: hop, url, step, relevance, relevant, anchor, anchor_relevance, priority, evidence
// example: url=http://example.org/page
// cost: the links on the way back; each page has one link that showed it first
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[:FETCHED|KNOWS]->(p:Page {url: $url})
MATCH way = (seed:Page)-[:LINKS_TO*0..60 {crawl: c.id, first: true}]->(p)
WITH c, way
ORDER BY length(way) DESC
LIMIT 1
UNWIND range(0, length(way)) AS hop
WITH c, hop, nodes(way)[hop] AS page, CASE WHEN hop = 0 THEN null ELSE relationships(way)[hop - 1] END AS link
OPTIONAL MATCH (page)<-[f:FETCHED]-(c)
OPTIONAL MATCH (page)<-[k:KNOWS]-(c)
RETURN hop, page.url AS url, f.step AS step, f.relevance AS relevance, f.relevant AS relevant, link.anchor AS anchor,
       link.relevance AS anchor_relevance, coalesce(f.priority, k.priority) AS priority,
       coalesce(f.evidence, k.reason) AS evidence
ORDER BY hop
