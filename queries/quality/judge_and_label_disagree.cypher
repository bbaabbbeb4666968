// title: Pages where the judge and the label disagree
// answers: Which relevant pages does the judge miss, and what does it take for relevant?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, relevance, relevant, label, step
// example: limit=10
// cost: every page that the crawl fetched
// needs: crawl, fetched, labels
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevant <> f.label
RETURN p.url AS url, f.title AS title, f.relevance AS relevance, f.relevant AS relevant, f.label AS label,
       f.step AS step
ORDER BY relevant, relevance DESC, url
LIMIT $limit
