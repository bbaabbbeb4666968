// title: The crawls in the graph
// answers: Which crawls can I ask about?
// param: limit integer[1..1000000] 50 how many crawls
// returns: crawl, strategy, topic, world, started, stop_reason, fetched, relevant integer, known
// example: limit=5
// cost: every page of every crawl
// needs: crawl
MATCH (c:Crawl)
OPTIONAL MATCH (c)-[f:FETCHED]->(:Page)
WITH c, sum(CASE WHEN f.relevance IS NOT NULL THEN 1 ELSE 0 END) AS fetched,
     sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant
OPTIONAL MATCH (c)-[k:KNOWS]->(:Page)
WITH c, fetched, relevant, count(k) AS known
RETURN c.id AS crawl, c.strategy AS strategy, c.topic AS topic, c.world AS world, c.started AS started,
       c.stop_reason AS stop_reason, fetched, relevant, known
ORDER BY started DESC, crawl DESC
LIMIT $limit
