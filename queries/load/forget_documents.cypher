// title: Remove papers
// internal: kg.load
// param: ids list required ids of the papers
// returns: removed
UNWIND $ids AS id
MATCH (d:Document {id: id})
DETACH DELETE d
RETURN count(*) AS removed
