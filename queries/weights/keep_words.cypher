// title: Note what the words of a topic were loaded with
// internal: kg.weights
// param: topic text required name of the topic
// param: digest text required digest of the words
// returns: name
MERGE (t:Topic {name: $topic})
SET t.words = $digest
RETURN t.name AS name
