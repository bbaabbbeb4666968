// title: Read the titles of pages
// internal: kg.enrich
// param: rows list required {url}
// returns: url, title
UNWIND $rows AS row
MATCH (:Crawl)-[f:FETCHED]->(p:Page {url: row.url})
WHERE f.title IS NOT NULL
RETURN p.url AS url, max(f.title) AS title
ORDER BY url
