// title: Two crawls side by side
// answers: What did each crawl find that the other did not?
// param: one text required id of a crawl
// param: other text required id of another crawl
// returns: crawl, strategy, fetched, relevant integer, fetched_by_both, relevant_only_here
// example: one=demo-breadth_first other=demo-learned
// cost: every page that one of the two fetched; URLs from which redirects lead to one page are one page
// needs: crawl
MATCH (c:Crawl)
WHERE c.id IN [$one, $other]
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevance IS NOT NULL
WITH coalesce(f.final_url, p.url) AS url, c, max(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS hit
WITH url, collect({crawl: c.id, strategy: c.strategy, hit: hit}) AS found
UNWIND found AS one
WITH one.crawl AS crawl, one.strategy AS strategy, one.hit AS hit, CASE WHEN size(found) > 1 THEN 1 ELSE 0 END AS both
RETURN crawl, strategy, count(*) AS fetched, sum(hit) AS relevant, sum(both) AS fetched_by_both,
       sum(hit * (1 - both)) AS relevant_only_here
ORDER BY crawl
