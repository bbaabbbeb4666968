// statement: down
// title: Up to four levels below some concepts, each concept once by its shortest way
// internal: kg.walks
// param: rows list required {at, iri, ontology, distance}: number of the walk, a concept that it reached, how far
// returns: at, iri, distance
UNWIND $rows AS row
MATCH way = (:Concept {iri: row.iri})<-[:SUBCLASS_OF|PART_OF*1..4 {ontology: row.ontology}]-(reached:Concept)
WITH row.at AS at, reached.iri AS iri, min(row.distance + length(way)) AS distance
RETURN at, iri, distance
ORDER BY at, distance, iri

// statement: up
// title: Up to four levels above some concepts, each concept once by its shortest way
// internal: kg.walks
// param: rows list required {at, iri, ontology, distance}: number of the walk, a concept that it reached, how far
// returns: at, iri, distance
UNWIND $rows AS row
MATCH way = (:Concept {iri: row.iri})-[:SUBCLASS_OF|PART_OF*1..4 {ontology: row.ontology}]->(reached:Concept)
WITH row.at AS at, reached.iri AS iri, min(row.distance + length(way)) AS distance
RETURN at, iri, distance
ORDER BY at, distance, iri
