"""The Cypher of queries that now read stored figures of links, as it counted them before.

The benchmark of the queries has the seconds of both; a test compares their rows on random graphs.
"""

from __future__ import annotations

from collections.abc import Mapping

FULL_SCANS: Mapping[str, str] = {
    "crawl/by_depth": """
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
UNWIND c.seeds AS seed
MATCH (start:Page {url: seed})
MATCH way = (start)-[:LED_TO*0..1000 {crawl: c.id}]->(p:Page)
WITH c, p, length(way) AS depth
MATCH (p)<-[f:FETCHED]-(c)
WHERE f.relevance IS NOT NULL
WITH depth, count(*) AS fetched, sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant
RETURN depth, fetched, relevant, 1.0 * relevant / fetched AS share
ORDER BY depth
""",
    "crawl/by_seed": """
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
UNWIND c.seeds AS seed
MATCH (start:Page {url: seed})
MATCH way = (start)-[:LED_TO*0..1000 {crawl: c.id}]->(p:Page)
WITH c, seed, p, length(way) AS depth
MATCH (p)<-[f:FETCHED]-(c)
WHERE f.relevance IS NOT NULL
WITH seed, count(*) AS fetched, sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant, max(depth) AS farthest
RETURN seed, fetched, relevant, 1.0 * relevant / fetched AS share, farthest
ORDER BY relevant DESC, share DESC, seed
""",
    "links/authorities": """
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)-[:ON_HOST]->(h:Host)
WHERE f.relevant
MATCH (p)-[l:LINKS_TO]->(target:Page)
WHERE l.crawl = c.id
MATCH (target)-[:ON_HOST]->(own:Host)
WHERE own.name <> h.name
WITH c.id AS crawl, target, count(DISTINCT h.name) AS hosts, count(*) AS pages
WHERE hosts >= $least
WITH crawl, target, hosts, pages
ORDER BY hosts DESC, pages DESC, target.url
LIMIT $limit
OPTIONAL MATCH (target)<-[g:FETCHED]-(:Crawl {id: crawl})
RETURN target.url AS url, hosts, pages, g IS NOT NULL AS fetched, g.relevance AS relevance, g.title AS title
ORDER BY hosts DESC, pages DESC, url
""",
    "links/between_hosts": """
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[:FETCHED]->(:Page)-[:ON_HOST]->(a:Host)
WITH DISTINCT c, a
CALL (c, a) {
  MATCH (a)<-[:ON_HOST]-(p:Page)-[l:LINKS_TO]->(q:Page)-[:ON_HOST]->(b:Host)
  WHERE l.crawl = c.id AND a.name <> b.name
  OPTIONAL MATCH (q)<-[f:FETCHED]-(c)
  RETURN b.name AS target, count(*) AS links, sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS to_relevant
}
WITH a.name AS source, target, links, to_relevant
WHERE links >= $least
RETURN source, target, links, to_relevant
ORDER BY links DESC, source, target
LIMIT $limit
""",
    "links/hubs": """
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevant
MATCH (p)<-[l:LINKS_TO]-(hub:Page)
WHERE l.crawl = c.id
WITH c, hub, count(*) AS leads_to
WHERE leads_to >= $least
ORDER BY leads_to DESC, hub.url
LIMIT $limit
MATCH (hub)-[l:LINKS_TO]->(target:Page)
WHERE l.crawl = c.id
MATCH (target)<-[g:FETCHED]-(c)
WHERE g.relevance IS NOT NULL
WITH c, hub, leads_to, count(*) AS links_to_fetched
MATCH (hub)<-[own:FETCHED]-(c)
RETURN hub.url AS url, own.title AS title, leads_to, links_to_fetched, 1.0 * leads_to / links_to_fetched AS share,
       own.relevance AS relevance
ORDER BY leads_to DESC, url
""",
    "links/locality": """
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[own:FETCHED]->(p:Page)
WHERE own.relevant IS NOT NULL
WITH c, p, own
ORDER BY own.step DESC
LIMIT $pages
MATCH (p)-[l:LINKS_TO]->(q:Page)
WHERE l.crawl = c.id
MATCH (q)<-[f:FETCHED]-(c)
WHERE f.relevance IS NOT NULL
WITH own.relevant AS page_is_relevant, count(DISTINCT p.url) AS pages, count(*) AS links,
     sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS to_relevant
RETURN page_is_relevant, pages, links, to_relevant, 1.0 * to_relevant / links AS share
ORDER BY page_is_relevant DESC
""",
}
"""Query -> the statement that counts what the query reads; its parameters are those of the query."""
