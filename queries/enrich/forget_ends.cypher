// title: Remove the concepts of proposals that are about others now
// internal: kg.enrich
// param: rows list required {id, props: {under, about}}
// returns: removed
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})-[e:UNDER|ABOUT]->(c:Concept)
WHERE NOT ((type(e) = 'UNDER' AND c.iri = coalesce(row.props.under, '')) OR
           (type(e) = 'ABOUT' AND c.iri = coalesce(row.props.about, '')))
DELETE e
RETURN count(*) AS removed
