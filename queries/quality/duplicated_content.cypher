// title: Pages of a crawl with the same content
// answers: Which addresses show the same text?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many contents
// param: names integer[1..1000] 5 how many URLs of each
// returns: copies, hosts, title, relevance, urls
// lists: urls
// example: crawl=demo-learned
// cost: every page that the crawl fetched; urls are the first five
// needs: crawl, fetched
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.content_hash IS NOT NULL
WITH c.id AS crawl, f.content_hash AS content, collect(p.url) AS urls
WHERE size(urls) > 1
UNWIND urls AS url
WITH crawl, content, url
ORDER BY content, url
WITH crawl, content, collect(url) AS urls
ORDER BY size(urls) DESC, urls[0]
LIMIT $limit
UNWIND urls AS url
MATCH (p:Page {url: url})-[:ON_HOST]->(h:Host)
MATCH (p)<-[f:FETCHED]-(:Crawl {id: crawl})
WITH urls, h, f, url
ORDER BY urls[0], url
RETURN size(urls) AS copies, count(DISTINCT h.name) AS hosts, collect(f.title)[0] AS title,
       max(f.relevance) AS relevance, urls[0..$names] AS urls
ORDER BY copies DESC, urls[0]
