// title: The pages of a crawl by the month of their publication
// answers: How fresh is what was found, and when was the topic in the news?
// param: crawl text newest id of the crawl
// param: limit integer[1..1000000] 120 how many months, newest first
// returns: month, pages, relevant integer, share
// example: limit=12
// cost: every page that the crawl fetched; month is empty where a page tells no date
// needs: crawl, fetched
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(:Page)
WHERE f.relevance IS NOT NULL
WITH coalesce(substring(f.published, 0, 7), '') AS month, count(*) AS pages,
     sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant
RETURN month, pages, relevant, 1.0 * relevant / pages AS share
ORDER BY month DESC
LIMIT $limit
