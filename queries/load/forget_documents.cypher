// title: Remove papers that no ontology was learned from and nothing else refers to
// internal: kg.load
// param: ids list required ids of the candidates
// returns: removed
UNWIND $ids AS id
MATCH (d:Document {id: id})
WHERE NOT EXISTS { MATCH (d)--() }
DELETE d
RETURN count(*) AS removed
