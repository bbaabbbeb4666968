// title: The pages of a crawl that name the same concepts as a page
// answers: What else is like this page?
// param: url text required URL of the page
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, relevance, shared, likeness
// example: url=http://qixiang.example/ limit=10
// cost: slow where the page names common concepts: every page that names one of them
// needs: crawl, known_page, mentions
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (p:Page {url: $url})-[m:MENTIONS]->(concept:Concept)
WHERE m.crawl = c.id
WITH c, p, collect(concept) AS own
UNWIND own AS concept
MATCH (concept)<-[n:MENTIONS]-(q:Page)
WHERE n.crawl = c.id AND q.url <> $url
WITH c, size(own) AS mine, q, count(*) AS shared
WITH c, q, shared, mine, COUNT { MATCH (q)-[x:MENTIONS]->(:Concept) WHERE x.crawl = c.id } AS theirs
WITH c, q, shared, 1.0 * shared / (mine + theirs - shared) AS likeness
ORDER BY likeness DESC, shared DESC, q.url
LIMIT $limit
MATCH (q)<-[f:FETCHED]-(c)
RETURN q.url AS url, f.title AS title, f.relevance AS relevance, shared, likeness
ORDER BY likeness DESC, shared DESC, url
