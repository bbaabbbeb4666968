// title: The weights that the files of a topic gave its words when they were loaded
// internal: kg.weights
// param: topic text required name of the topic
// returns: word, listed
MATCH (:Topic {name: $topic})-[h:HAS_WORD]->(w:Term)
RETURN w.text AS word, h.listed AS listed
ORDER BY word
