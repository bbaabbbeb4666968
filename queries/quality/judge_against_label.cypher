// title: The judge's opinion against the labels
// answers: How often is what the run calls relevant really so?
// param: crawl text newest id of the crawl
// returns: relevant, label, pages, share, lowest_relevance, highest_relevance
// example: crawl=demo-learned
// cost: every page that the crawl fetched, near-duplicates left out; label is null where no labels are known
// needs: crawl, fetched
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(:Page)
WHERE f.relevant IS NOT NULL
WITH f.relevant AS relevant, f.label AS label, count(*) AS pages, min(f.relevance) AS lowest,
     max(f.relevance) AS highest
WITH collect({relevant: relevant, label: label, pages: pages, lowest: lowest, highest: highest}) AS cells,
     sum(pages) AS all
UNWIND cells AS cell
RETURN cell.relevant AS relevant, cell.label AS label, cell.pages AS pages, 1.0 * cell.pages / all AS share,
       cell.lowest AS lowest_relevance, cell.highest AS highest_relevance
ORDER BY relevant DESC, label DESC
