// title: The communities of a crawl, and what each is about
// answers: Into which groups of pages that link to each other does the crawl fall, and what is each about?
// param: crawl text newest id of the crawl
// param: least integer[1..] 2 least number of fetched pages
// param: names integer[1..100] 3 how many concepts, hosts and pages of each
// param: limit integer[1..1000000] 20 how many communities, the largest first
// returns: community, pages, relevant integer, share, characteristic, mentioned, hosts list, heaviest
// lists: characteristic, mentioned, hosts, heaviest
// example: limit=5
// stored: link figures
// cost: slow: every page that the crawl fetched, and every mention of a concept by one; characteristic are the
// cost: concepts with the largest p ln(p / q), where p is the share of the community's pages that name it and q that of
// cost: the crawl's; heaviest are the titles of the pages with the highest PageRank, of equal ones those fetched first
// needs: crawl, fetched, links
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
CALL (c) {
  MATCH (c)-[f:FETCHED]->(p:Page)
  WHERE f.community IS NOT NULL
  WITH f.community AS community, f.relevance AS R, f.relevant AS relevant, f.pagerank AS rank, f.step AS step,
       CASE WHEN f.relevance IS NULL THEN null WHEN f.title = '' THEN p.url ELSE f.title END AS title
  ORDER BY rank DESC, step
  WITH community, count(*) AS pages, count(R) AS judged, sum(CASE WHEN relevant THEN 1 ELSE 0 END) AS relevant,
       collect(title) AS titles
  WITH community, pages, judged, relevant, titles[0..$names] AS titles
  ORDER BY community
  RETURN sum(judged) AS all_judged, collect({community: community, pages: pages, judged: judged, relevant: relevant,
         titles: titles}) AS communities
}
CALL (c) {
  MATCH (c)-[f:FETCHED]->(:Page)-[:ON_HOST]->(h:Host)
  WHERE f.community <= $limit
  WITH f.community AS community, h.name AS host, count(*) AS pages
  ORDER BY community, pages DESC, host
  WITH community, collect(host) AS names
  RETURN collect({community: community, names: names[0..$names]}) AS hosts_of
}
CALL (c) {
  MATCH (c)-[f:FETCHED]->(:Page)-[m:MENTIONS]->(k:Concept)
  WHERE m.crawl = c.id AND f.community IS NOT NULL
  WITH k, f.community AS community, count(*) AS pages
  WITH coalesce(k.label_zh, k.label_en, k.iri) AS name, k.iri AS iri,
  sum(pages) AS all_pages,
       collect({community: community, pages: pages}) AS parts
  UNWIND parts AS part
  WITH part.community AS community, name, iri, part.pages AS pages, all_pages
  WHERE community <= $limit
  WITH community, collect({name: name, iri: iri, pages: pages, all_pages: all_pages}) AS concepts
  RETURN collect({community: community, concepts: concepts}) AS concepts_of
}
UNWIND communities AS g
WITH g, all_judged, hosts_of, concepts_of
WHERE g.pages >= $least AND g.community <= $limit
WITH g, all_judged, [x IN hosts_of WHERE x.community = g.community] AS hosts,
     [x IN concepts_of WHERE x.community = g.community] AS named
WITH g, all_judged, CASE WHEN size(hosts) = 0 THEN [] ELSE hosts[0].names END AS hosts,
     CASE WHEN size(named) = 0 THEN [] ELSE named[0].concepts END AS concepts
CALL (concepts) {
  UNWIND concepts AS k
  WITH k.name AS name, k.iri AS iri, k.pages AS pages
  ORDER BY pages DESC, name, iri
  LIMIT $names
  RETURN collect(name) AS mentioned
}
CALL (g, all_judged, concepts) {
  UNWIND CASE WHEN g.judged = 0 THEN [] ELSE concepts END AS k
  WITH k.name AS name, 1.0 * k.pages / g.judged AS p, 1.0 * k.all_pages / all_judged AS q
  WHERE p > q
  WITH name, p * log(p / q) AS weight
  ORDER BY weight DESC, name
  LIMIT $names
  RETURN collect(name) AS names
}
RETURN g.community AS community, g.pages AS pages, g.relevant AS relevant,
       CASE WHEN g.judged = 0 THEN null ELSE 1.0 * g.relevant / g.judged END AS share,
       names AS characteristic, mentioned, hosts, g.titles AS heaviest
ORDER BY community
