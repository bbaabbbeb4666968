// title: What causes a concept, directly and farther back
// answers: Which chains of causes end at this concept?
// param: concept text required IRI or label of the concept
// param: limit integer[1..1000000] 50 how many chains
// returns: cause, steps, chain
// example: concept=洪涝
// most: steps 6
// cost: chains of at most six causes
// needs: ontologies, causes
MATCH (effect:Concept)
WHERE effect.iri = $concept OR effect.label_zh = $concept OR effect.label_en IN [$concept, toLower($concept)]
MATCH way = (effect)<-[:CAUSES*1..7]-(cause:Concept)
WITH DISTINCT [x IN nodes(way) | coalesce(x.label_zh, x.label_en)] AS back,
     [x IN nodes(way) | x.iri] AS iris
RETURN back[-1] AS cause, size(back) - 1 AS steps, reverse(back) AS chain
ORDER BY steps, iris
LIMIT $limit
