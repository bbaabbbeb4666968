// title: The words that steer crawls on a topic
// internal: kg.weights
// param: topic text required name of the topic
// returns: word, weight, zh, en, position
MATCH (:Topic {name: $topic})-[h:HAS_WORD]->(w:Term)
WHERE h.weight > 0
RETURN w.text AS word, h.weight AS weight, h.zh AS zh, h.en AS en, h.position AS position
ORDER BY position IS NULL, position, word
