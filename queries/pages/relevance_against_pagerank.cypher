// title: Pages whose relevance and PageRank disagree
// answers: Which good pages does nobody link to, and which favourites of the web are beside the topic?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 20 how many pages
// returns: url, title, relevance, pagerank, disagreement
// example: limit=10
// cost: slow: every page that the crawl fetched, sorted by both; disagreement is the share of pages that it exceeds in
// needs: crawl, fetched, pagerank
// cost: relevance less the share that it exceeds in PageRank
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevance IS NOT NULL AND f.pagerank IS NOT NULL
WITH c.id AS crawl, p.url AS url, f.relevance AS relevance, f.pagerank AS pagerank
ORDER BY relevance, url
WITH crawl, collect(url) AS urls, collect(pagerank) AS ranks
UNWIND range(0, size(urls) - 1) AS place
WITH crawl, urls[place] AS url, ranks[place] AS pagerank, place
WITH crawl, url, pagerank, place
ORDER BY pagerank, url
WITH crawl, collect(url) AS urls, collect(place) AS places
UNWIND range(0, size(urls) - 1) AS place
WITH crawl, urls[place] AS url, 1.0 * (places[place] - place) / size(urls) AS disagreement
WITH crawl, url, disagreement
ORDER BY abs(disagreement) DESC, url
LIMIT $limit
MATCH (p:Page {url: url})<-[f:FETCHED]-(:Crawl {id: crawl})
RETURN url, f.title AS title, f.relevance AS relevance, f.pagerank AS pagerank, disagreement
ORDER BY abs(disagreement) DESC, url
