// title: What a concept causes, directly and onward
// answers: Which chains of causes begin at this concept?
// param: concept text required IRI or label of the concept
// param: limit integer[1..1000000] 50 how many chains
// returns: effect, steps, chain
// example: concept=暴雨
// most: steps 6
// cost: chains of at most six causes
// needs: ontologies, causes
MATCH (cause:Concept)
WHERE cause.iri = $concept OR cause.label_zh = $concept OR cause.label_en IN [$concept, toLower($concept)]
MATCH way = (cause)-[:CAUSES*1..7]->(effect:Concept)
WITH DISTINCT [x IN nodes(way) | coalesce(x.label_zh, x.label_en)] AS chain,
     [x IN nodes(way) | x.iri] AS iris
RETURN chain[-1] AS effect, size(chain) - 1 AS steps, chain
ORDER BY steps, iris
LIMIT $limit
