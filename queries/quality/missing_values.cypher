// title: What the pages of a crawl do not tell
// answers: How many fetched pages have no title, no date, no text, no label or no PageRank?
// param: crawl text newest id of the crawl
// returns: missing, pages, share
// example: crawl=demo-learned
// cost: every page that the crawl fetched
// needs: crawl, fetched
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(:Page)
WHERE f.relevance IS NOT NULL
WITH count(*) AS all, sum(CASE WHEN coalesce(f.title, '') = '' THEN 1 ELSE 0 END) AS title,
     sum(CASE WHEN f.published IS NULL THEN 1 ELSE 0 END) AS published,
     sum(CASE WHEN coalesce(f.snippet, '') = '' THEN 1 ELSE 0 END) AS text,
     sum(CASE WHEN f.label IS NULL THEN 1 ELSE 0 END) AS label,
     sum(CASE WHEN f.pagerank IS NULL THEN 1 ELSE 0 END) AS pagerank
UNWIND [{missing: 'title', n: title}, {missing: 'date', n: published}, {missing: 'text', n: text},
        {missing: 'label', n: label}, {missing: 'PageRank', n: pagerank}] AS row
WITH all, row
WHERE all > 0
RETURN row.missing AS missing, row.n AS pages, 1.0 * row.n / all AS share
ORDER BY pages DESC, missing
