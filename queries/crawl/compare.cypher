// title: Two crawls side by side
// answers: What did each crawl find that the other did not?
// param: one text required id of a crawl
// param: other text required id of another crawl
// returns: crawl, strategy, fetched, relevant, fetched_by_both, relevant_only_here
// example: one=demo-breadth_first other=demo-fcosa_lg
// cost: every page that one of the two fetched
UNWIND [{here: $one, there: $other}, {here: $other, there: $one}] AS pair
MATCH (c:Crawl {id: pair.here})-[f:FETCHED]->(p:Page)
WHERE f.relevance IS NOT NULL
OPTIONAL MATCH (p)<-[g:FETCHED]-(:Crawl {id: pair.there})
WITH c, CASE WHEN f.relevant THEN 1 ELSE 0 END AS hit,
     CASE WHEN g.relevance IS NOT NULL THEN 1 ELSE 0 END AS both
RETURN c.id AS crawl, c.strategy AS strategy, count(*) AS fetched, sum(hit) AS relevant, sum(both) AS fetched_by_both,
       sum(hit * (1 - both)) AS relevant_only_here
ORDER BY crawl
