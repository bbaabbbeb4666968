// title: The strongly connected components of a crawl
// answers: Between which fetched pages do links lead there and back, so that a reader can go round?
// param: crawl text newest id of the crawl
// param: least integer[1..] 2 least number of pages
// param: names integer[1..100] 3 how many hosts and pages of each
// param: limit integer[1..1000000] 20 how many components, the largest first
// returns: component, pages, relevant integer, share, hosts list, heaviest
// lists: hosts, heaviest
// example: limit=5
// stored: link figures
// cost: every page that the crawl fetched; heaviest are the titles of the pages with the highest PageRank, of
// cost: equal ones those fetched first
// needs: crawl, fetched, links
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
CALL (c) {
  MATCH (c)-[f:FETCHED]->(:Page)-[:ON_HOST]->(h:Host)
  WHERE f.component <= $limit
  WITH f.component AS component, h.name AS host, count(*) AS pages
  ORDER BY component, pages DESC, host
  WITH component, collect(host) AS names
  RETURN collect({component: component, names: names[0..$names]}) AS hosts_of
}
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.component <= $limit
WITH hosts_of, f.component AS component, count(*) AS pages, count(f.relevance) AS judged,
     sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS relevant,
     collect(CASE WHEN f.relevance IS NULL OR f.title IS NULL THEN null ELSE {rank: f.pagerank, step: f.step,
             title: CASE WHEN f.title = '' THEN p.url ELSE f.title END} END) AS titled
WHERE pages >= $least
WITH component, pages, judged, relevant, [x IN hosts_of WHERE x.component = component] AS hosts,
     reduce(first = [], x IN titled | CASE
       WHEN size(first) = $names AND (first[-1].rank > x.rank OR first[-1].rank = x.rank AND first[-1].step < x.step)
       THEN first
       ELSE ([y IN first WHERE y.rank > x.rank OR y.rank = x.rank AND y.step < x.step] + [x]
             + [y IN first WHERE NOT (y.rank > x.rank OR y.rank = x.rank AND y.step < x.step)])[0..$names]
     END) AS first
RETURN component, pages, relevant, CASE WHEN judged = 0 THEN null ELSE 1.0 * relevant / judged END AS share,
       CASE WHEN size(hosts) = 0 THEN [] ELSE hosts[0].names END AS hosts, [x IN first | x.title] AS heaviest
ORDER BY component
