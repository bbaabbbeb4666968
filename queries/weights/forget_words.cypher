// title: Remove the words that steer crawls on a topic
// internal: kg.weights
// param: topic text required name of the topic
// returns: removed
MATCH (:Topic {name: $topic})-[h:HAS_WORD]->(:Term)
DELETE h
RETURN count(*) AS removed
