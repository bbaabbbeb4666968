// title: Anchor texts that promised more than they held
// answers: Which words on links look relevant and lead to pages that are not?
// param: crawl text newest id of the crawl
// param: promise number[0..1] 0.3 least relevance of the anchor text
// param: least integer[1..] 1 least number of fetched targets of an anchor text
// param: limit integer[1..1000000] 20 how many anchor texts
// returns: anchor, anchor_relevance, targets, irrelevant, share
// example: promise=0.1 limit=10
// cost: slow: every link to a page that the crawl fetched
// needs: crawl, fetched, links
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevance IS NOT NULL
CALL (c, p) {
  MATCH (p)<-[l:LINKS_TO]-(:Page)
  WHERE l.crawl = c.id AND l.anchor <> '' AND l.relevance >= $promise
  RETURN l.anchor AS anchor, max(l.relevance) AS promised
}
WITH anchor, max(promised) AS anchor_relevance, count(*) AS targets,
     sum(CASE WHEN f.relevant THEN 0 ELSE 1 END) AS irrelevant
WHERE targets >= $least AND irrelevant > 0
RETURN anchor, anchor_relevance, targets, irrelevant, 1.0 * irrelevant / targets AS share
ORDER BY irrelevant DESC, share DESC, anchor
LIMIT $limit
