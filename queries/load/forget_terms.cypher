// title: Remove the links of papers to their terms before they are written anew
// internal: kg.load
// param: rows list required {id}
// returns: removed
UNWIND $rows AS row
MATCH (:Document {id: row.id})-[h:HAS_TERM]->(:Term)
DELETE h
RETURN count(*) AS removed
