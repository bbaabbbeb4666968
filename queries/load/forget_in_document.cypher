// title: Forget which sentences some papers have
// internal: kg.evidence
// param: rows list required {id}
// returns: id
UNWIND $rows AS row
MATCH (:Document {id: row.id})<-[i:IN_DOCUMENT]-(s:Sentence)
WITH i, s.id AS id
DELETE i
RETURN DISTINCT id
ORDER BY id
