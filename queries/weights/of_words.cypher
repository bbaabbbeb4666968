// title: The words that steer crawls on a topic, and how frequent each is elsewhere
// answers: Which words steer a crawl on this topic, how strongly, and where do they come from?
// param: topic text "" name of the topic; empty: all
// param: limit integer[1..1000000] 50 how many words
// returns: topic, word, weight, source, p number, g number, o number, texts
// example: limit=10
// cost: the words of the topic
// needs: words
MATCH (t:Topic)-[h:HAS_WORD]->(w:Term)
WHERE $topic = '' OR t.name = $topic
RETURN t.name AS topic, w.text AS word, h.weight AS weight, h.source AS source, h.p AS p, h.g AS g, h.o AS o,
       h.texts AS texts
ORDER BY topic, h.position IS NULL, h.position, word
LIMIT $limit
