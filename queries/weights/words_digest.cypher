// title: What the words of a topic were loaded with
// internal: kg.weights
// param: topic text required name of the topic
// returns: words
MATCH (t:Topic {name: $topic})
RETURN t.words AS words
