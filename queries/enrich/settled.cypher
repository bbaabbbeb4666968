// title: Write what proposals are by all crawls
// internal: kg.enrich
// param: rows list required {id, props}
// returns: written
UNWIND $rows AS row
MATCH (q:Proposal {id: row.id})
SET q.kind = row.props.kind, q.relation = row.props.relation, q.target = row.props.target,
    q.target_label = row.props.target_label, q.source = row.props.source, q.rule = row.props.rule,
    q.ontology = coalesce(row.props.ontology, q.ontology),
    q.reason = row.props.reason, q.score = row.props.score, q.pages = row.props.pages
RETURN count(*) AS written
