// title: Write the words that steer crawls on a topic
// internal: kg.weights
// param: rows list required {text, props}: props has weight, position, forms in zh and en, the shares p, g, o, texts, source
// param: topic text required name of the topic
// returns: written
UNWIND $rows AS row
MERGE (w:Term {text: row.text})
WITH row, w
MATCH (t:Topic {name: $topic})
MERGE (t)-[h:HAS_WORD]->(w)
SET h = row.props
RETURN count(*) AS written
