// title: Remove words that steer crawls on a topic
// internal: kg.weights
// param: topic text required name of the topic
// param: words list required texts of the words
// returns: removed
MATCH (:Topic {name: $topic})-[h:HAS_WORD]->(w:Term)
WHERE w.text IN $words
DELETE h
RETURN count(*) AS removed
