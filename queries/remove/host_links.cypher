// title: Remove how many links of a crawl lead from hosts to others
// internal: kg.project
// param: rows list required {host}: the hosts at the beginning of the links
// param: crawl text required id of the crawl
// returns: removed
UNWIND $rows AS row
MATCH (:Host {name: row.host})-[l:LINKS_TO_HOST]->(:Host)
WHERE l.crawl = $crawl
DELETE l
RETURN count(*) AS removed
