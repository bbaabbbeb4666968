// title: What a crawl is
// internal: kg.enrich
// param: crawl text required its id
// returns: strategy, topic, world, started
MATCH (c:Crawl {id: $crawl})
RETURN c.strategy AS strategy, c.topic AS topic, c.world AS world, c.started AS started
ORDER BY strategy
