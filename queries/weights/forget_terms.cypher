// title: Remove terms that nothing refers to
// internal: kg.weights
// param: words list required texts of the terms
// returns: removed
UNWIND $words AS word
MATCH (w:Term {text: word})
WHERE NOT EXISTS { MATCH (w)--() }
DELETE w
RETURN count(*) AS removed
