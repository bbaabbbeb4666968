// title: What each crawl knows of a page
// answers: Who fetched this page, what was found there, and how is it linked?
// param: url text required URL of the page
// returns: crawl, step, status, title, published, relevance, relevant, label, pagerank, links_in, links_out, concepts
// example: url=http://qixiang.example/
// cost: the page and its links
// needs: crawl
MATCH (p:Page {url: $url})
MATCH (p)<-[r:FETCHED|KNOWS]-(c:Crawl)
RETURN c.id AS crawl, r.step AS step, coalesce(toString(r.status), r.reason) AS status, r.title AS title,
       r.published AS published, r.relevance AS relevance, r.relevant AS relevant, r.label AS label,
       r.pagerank AS pagerank, COUNT { MATCH (p)<-[i:LINKS_TO]-(:Page) WHERE i.crawl = c.id } AS links_in,
       COUNT { MATCH (p)-[o:LINKS_TO]->(:Page) WHERE o.crawl = c.id } AS links_out,
       COUNT { MATCH (p)-[m:MENTIONS]->(:Concept) WHERE m.crawl = c.id } AS concepts
ORDER BY crawl
