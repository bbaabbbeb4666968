// title: Remove the links of papers to their terms before they are written anew
// internal: kg.papers
// param: rows list required {id}
// param: ontology text required key of the ontology whose terms were counted
// returns: removed
UNWIND $rows AS row
MATCH (:Document {id: row.id})-[h:HAS_TERM]->(:Term)
WHERE h.ontology = $ontology
DELETE h
RETURN count(*) AS removed
