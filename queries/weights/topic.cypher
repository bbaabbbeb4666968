// title: Write a topic
// internal: kg.weights
// param: topic text required name of the topic
// returns: name
MERGE (t:Topic {name: $topic})
RETURN t.name AS name
