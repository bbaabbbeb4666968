// title: Anchor texts whose links led to relevant pages
// answers: Which words on links are good signs, and how often were they right?
// param: crawl text newest id of the crawl
// param: least integer[1..] 1 least number of fetched targets of an anchor text
// param: limit integer[1..1000000] 20 how many anchor texts
// returns: anchor, targets, relevant integer, share
// example: least=3 limit=10
// cost: slow: every link to a page that the crawl fetched
// needs: crawl, fetched, relevant, links
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevance IS NOT NULL
CALL (c, p) {
  MATCH (p)<-[l:LINKS_TO]-(:Page)
  WHERE l.crawl = c.id AND l.anchor <> ''
  RETURN DISTINCT l.anchor AS anchor
}
WITH anchor, count(*) AS targets, sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant
WHERE targets >= $least AND relevant > 0
RETURN anchor, targets, relevant, 1.0 * relevant / targets AS share
ORDER BY relevant DESC, share DESC, anchor
LIMIT $limit
