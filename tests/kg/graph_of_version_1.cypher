// A graph of schema version 1, as `ontocrawl graph export` of version 0.1 wrote it; tests/kg/test_schema.py migrates it
CREATE CONSTRAINT ontology_iri IF NOT EXISTS FOR (n:Ontology) REQUIRE n.iri IS UNIQUE;
CREATE CONSTRAINT concept_iri IF NOT EXISTS FOR (n:Concept) REQUIRE n.iri IS UNIQUE;
CREATE CONSTRAINT topic_name IF NOT EXISTS FOR (n:Topic) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT document_id IF NOT EXISTS FOR (n:Document) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT term_text IF NOT EXISTS FOR (n:Term) REQUIRE n.text IS UNIQUE;
CREATE CONSTRAINT formalconcept_id IF NOT EXISTS FOR (n:FormalConcept) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT crawl_id IF NOT EXISTS FOR (n:Crawl) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT page_url IF NOT EXISTS FOR (n:Page) REQUIRE n.url IS UNIQUE;
CREATE CONSTRAINT host_name IF NOT EXISTS FOR (n:Host) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT proposal_id IF NOT EXISTS FOR (n:Proposal) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT graphschema_name IF NOT EXISTS FOR (n:GraphSchema) REQUIRE n.name IS UNIQUE;
CREATE INDEX concept_label_zh IF NOT EXISTS FOR (n:Concept) ON (n.label_zh);
CREATE INDEX concept_label_en IF NOT EXISTS FOR (n:Concept) ON (n.label_en);
CREATE INDEX formalconcept_lattice IF NOT EXISTS FOR (n:FormalConcept) ON (n.lattice);
CREATE INDEX proposal_crawl IF NOT EXISTS FOR (n:Proposal) ON (n.crawl);
UNWIND [
  {key: 'https://example.org/rain#local', props: {comment: '', digest: '5499b0c5eba029a7f56a1f6c19945514', kind: 'local', licence: '', root: 'https://example.org/rain#Flood', title_en: 'flood', title_zh: '洪水', topic: 'rainstorm', version: '1'}},
  {key: 'https://example.org/rain#ontology', props: {comment: '', digest: '404f6b107a6e198d29099932b66ffe10', kind: 'global', licence: '', root: 'https://example.org/rain#Root', title_en: 'rainstorm', title_zh: '暴雨', topic: 'rainstorm', version: '1'}}
] AS row MERGE (n:Ontology {iri: row.key}) SET n += row.props;
UNWIND [
  {key: 'https://example.org/rain#Alert', props: {definition: '', definition_en: '', label_en: 'alert', label_zh: '警报'}},
  {key: 'https://example.org/rain#FlashFlood', props: {definition: '', definition_en: '', label_en: 'flash flood', label_zh: '山洪'}},
  {key: 'https://example.org/rain#Flood', props: {definition: '', definition_en: '', label_en: 'flood', label_zh: '洪水'}},
  {key: 'https://example.org/rain#Levee', props: {definition: '', definition_en: '', label_en: 'levee', label_zh: '堤坝'}},
  {key: 'https://example.org/rain#RedWarning', props: {definition: '', definition_en: '', label_en: 'red warning', label_zh: '红色预警'}},
  {key: 'https://example.org/rain#River', props: {definition: '', definition_en: '', label_en: 'river', label_zh: '河流'}},
  {key: 'https://example.org/rain#Root', props: {definition: '', definition_en: '', label_en: 'rainstorm disaster', label_zh: '暴雨灾害'}},
  {key: 'https://example.org/rain#Warning', props: {definition: '', definition_en: '', label_en: 'warning signal', label_zh: '预警信号'}},
  {key: 'https://example.org/rain#Waterlogging', props: {definition: '', definition_en: '', label_en: 'city waterlogging', label_zh: '城市内涝'}}
] AS row MERGE (n:Concept {iri: row.key}) SET n += row.props;
UNWIND [
  {key: 'rainstorm', props: {}}
] AS row MERGE (n:Topic {name: row.key}) SET n += row.props;
UNWIND [
  {key: 'd1', props: {doi: '', source: '', title: '暴雨与城市内涝', year: 2020}},
  {key: 'd2', props: {doi: '', source: '', title: '洪水预报', year: 2021}},
  {key: 'd3', props: {doi: '', source: '', title: '城市内涝的暴雨灾害风险', year: 2022}}
] AS row MERGE (n:Document {id: row.key}) SET n += row.props;
UNWIND [
  {key: 'Warning Signal', props: {}},
  {key: '内涝', props: {}},
  {key: '城市内涝', props: {}},
  {key: '暴雨灾害', props: {}},
  {key: '洪水', props: {}},
  {key: '风险', props: {}}
] AS row MERGE (n:Term {text: row.key}) SET n += row.props;
UNWIND [
  {key: 'small/C0', props: {lattice: 'small', stability: 0.5, support: 3}},
  {key: 'small/C1', props: {lattice: 'small', support: 2}},
  {key: 'small/C2', props: {lattice: 'small', support: 1}}
] AS row MERGE (n:FormalConcept {id: row.key}) SET n += row.props;
UNWIND [
  {key: 'run-a', props: {seeds: ['http://a.cn/1'], started: '2024-05-01T00:00:00Z', stop_reason: 'limit_pages', strategy: 'breadth_first', topic: 'rainstorm', world: 'synthetic:small'}},
  {key: 'run-b', props: {seeds: ['http://a.cn/1'], started: '2024-05-02T00:00:00Z', stop_reason: 'limit_pages', strategy: 'fcosa_lg', topic: 'rainstorm', world: 'synthetic:small'}}
] AS row MERGE (n:Crawl {id: row.key}) SET n += row.props;
UNWIND [
  {key: 'http://a.cn/1', props: {}},
  {key: 'http://a.cn/2', props: {}},
  {key: 'http://a.cn/3', props: {}},
  {key: 'http://b.cn/4', props: {}},
  {key: 'http://b.cn/5', props: {}},
  {key: 'http://b.cn/6', props: {}},
  {key: 'http://b.cn/7', props: {}},
  {key: 'http://b.cn/8', props: {}},
  {key: 'http://c.cn/9', props: {}},
  {key: 'http://d.cn/10', props: {}}
] AS row MERGE (n:Page {url: row.key}) SET n += row.props;
UNWIND [
  {key: 'a.cn', props: {}},
  {key: 'b.cn', props: {}},
  {key: 'c.cn', props: {}},
  {key: 'd.cn', props: {}}
] AS row MERGE (n:Host {name: row.key}) SET n += row.props;
UNWIND [
  {key: 'run-b/列车效应', props: {crawl: 'run-b', kind: 'concept', ontology: 'https://example.org/rain#ontology', pages: 2, score: 1.5, status: 'proposed', term: '列车效应'}},
  {key: 'run-b/海绵城市', props: {crawl: 'run-b', kind: 'concept', ontology: 'https://example.org/rain#ontology', pages: 3, score: 2.5, status: 'proposed', term: '海绵城市'}}
] AS row MERGE (n:Proposal {id: row.key}) SET n += row.props;
UNWIND [
  {source: 'https://example.org/rain#Alert', target: 'https://example.org/rain#ontology', props: {alt_en: [], alt_zh: [], children: 1, class: 'https://example.org/rain#Alert', depth: 2, label_en: 'alert', label_zh: '警报'}},
  {source: 'https://example.org/rain#FlashFlood', target: 'https://example.org/rain#local', props: {alt_en: [], alt_zh: [], children: 0, class: 'https://example.org/rain#FlashFlood', depth: 2, label_en: 'flash flood', label_zh: '山洪'}},
  {source: 'https://example.org/rain#FlashFlood', target: 'https://example.org/rain#ontology', props: {alt_en: [], alt_zh: [], children: 0, class: 'https://example.org/rain#FlashFlood', depth: 3, label_en: 'flash flood', label_zh: '山洪'}},
  {source: 'https://example.org/rain#Flood', target: 'https://example.org/rain#local', props: {alt_en: [], alt_zh: [], children: 3, class: 'https://example.org/rain#Flood', depth: 1, label_en: 'flood', label_zh: '洪水'}},
  {source: 'https://example.org/rain#Flood', target: 'https://example.org/rain#ontology', props: {alt_en: [], alt_zh: [], children: 2, class: 'https://example.org/rain#Flood', depth: 2, label_en: 'flood', label_zh: '洪水'}},
  {source: 'https://example.org/rain#Levee', target: 'https://example.org/rain#local', props: {alt_en: [], alt_zh: [], children: 0, class: 'https://example.org/rain#Levee', depth: 2, label_en: 'levee', label_zh: '堤防'}},
  {source: 'https://example.org/rain#Levee', target: 'https://example.org/rain#ontology', props: {alt_en: [], alt_zh: ['警报'], children: 0, class: 'https://example.org/rain#Levee', depth: 3, label_en: 'levee', label_zh: '堤坝'}},
  {source: 'https://example.org/rain#RedWarning', target: 'https://example.org/rain#ontology', props: {alt_en: [], alt_zh: [], children: 0, class: 'https://example.org/rain#RedWarning', depth: 3, label_en: 'red warning', label_zh: '红色预警'}},
  {source: 'https://example.org/rain#River', target: 'https://example.org/rain#local', props: {alt_en: [], alt_zh: [], children: 0, class: 'https://example.org/rain#River', depth: 2, label_en: 'river', label_zh: '河流'}},
  {source: 'https://example.org/rain#Root', target: 'https://example.org/rain#ontology', props: {alt_en: [], alt_zh: [], children: 3, class: 'https://example.org/rain#Root', depth: 1, label_en: 'rainstorm disaster', label_zh: '暴雨灾害'}},
  {source: 'https://example.org/rain#Warning', target: 'https://example.org/rain#ontology', props: {alt_en: [], alt_zh: [], children: 1, class: 'https://example.org/rain#Alert', depth: 2, label_en: 'warning signal', label_zh: '预警信号'}},
  {source: 'https://example.org/rain#Waterlogging', target: 'https://example.org/rain#ontology', props: {alt_en: [], alt_zh: ['内涝'], children: 1, class: 'https://example.org/rain#Waterlogging', depth: 2, label_en: 'city waterlogging', label_zh: '城市内涝'}}
] AS row MATCH (a:Concept {iri: row.source}) MATCH (b:Ontology {iri: row.target}) MERGE (a)-[r:IN_ONTOLOGY]->(b) SET r += row.props;
UNWIND [
  {source: 'https://example.org/rain#FlashFlood', target: 'https://example.org/rain#Flood', props: {documents: [], evidence: '', ontology: 'https://example.org/rain#local', sentence: ''}},
  {source: 'https://example.org/rain#FlashFlood', target: 'https://example.org/rain#Flood', props: {documents: [], evidence: '', ontology: 'https://example.org/rain#ontology', sentence: ''}},
  {source: 'https://example.org/rain#FlashFlood', target: 'https://example.org/rain#Waterlogging', props: {documents: [], evidence: '', ontology: 'https://example.org/rain#ontology', sentence: ''}},
  {source: 'https://example.org/rain#Flood', target: 'https://example.org/rain#Root', props: {documents: [], evidence: '', ontology: 'https://example.org/rain#ontology', sentence: ''}},
  {source: 'https://example.org/rain#RedWarning', target: 'https://example.org/rain#Warning', props: {documents: [], evidence: '', ontology: 'https://example.org/rain#ontology', sentence: ''}},
  {source: 'https://example.org/rain#River', target: 'https://example.org/rain#Flood', props: {confidence: 0.5, documents: [], evidence: '', ontology: 'https://example.org/rain#local', sentence: '', support: 1}},
  {source: 'https://example.org/rain#Warning', target: 'https://example.org/rain#Root', props: {documents: [], evidence: '', ontology: 'https://example.org/rain#ontology', sentence: ''}},
  {source: 'https://example.org/rain#Waterlogging', target: 'https://example.org/rain#Root', props: {confidence: 0.5, documents: [], evidence: '', ontology: 'https://example.org/rain#ontology', sentence: '', support: 3}}
] AS row MATCH (a:Concept {iri: row.source}) MATCH (b:Concept {iri: row.target}) MERGE (a)-[r:SUBCLASS_OF {ontology: row.props.ontology}]->(b) SET r += row.props;
UNWIND [
  {source: 'https://example.org/rain#Levee', target: 'https://example.org/rain#Flood', props: {documents: [], evidence: '', ontology: 'https://example.org/rain#local', sentence: ''}},
  {source: 'https://example.org/rain#Levee', target: 'https://example.org/rain#Flood', props: {documents: [], evidence: '', ontology: 'https://example.org/rain#ontology', sentence: ''}}
] AS row MATCH (a:Concept {iri: row.source}) MATCH (b:Concept {iri: row.target}) MERGE (a)-[r:PART_OF {ontology: row.props.ontology}]->(b) SET r += row.props;
UNWIND [
  {source: 'https://example.org/rain#Alert', target: 'https://example.org/rain#Warning', props: {documents: [], evidence: '', ontology: 'https://example.org/rain#ontology', sentence: ''}}
] AS row MATCH (a:Concept {iri: row.source}) MATCH (b:Concept {iri: row.target}) MERGE (a)-[r:EQUIVALENT_TO {ontology: row.props.ontology}]->(b) SET r += row.props;
UNWIND [
  {source: 'https://example.org/rain#Flood', target: 'https://example.org/rain#Waterlogging', props: {documents: [], evidence: '洪水引发城市内涝', ontology: 'https://example.org/rain#ontology', sentence: ''}}
] AS row MATCH (a:Concept {iri: row.source}) MATCH (b:Concept {iri: row.target}) MERGE (a)-[r:CAUSES {ontology: row.props.ontology}]->(b) SET r += row.props;
UNWIND [
  {source: 'rainstorm', target: 'https://example.org/rain#Alert', props: {coincidence: 0.5, density: 1.0, depth: 0.6666666666666666, distance: 0.5, ontology: 'https://example.org/rain#ontology', path: ['暴雨灾害', '警报'], relation: 0.8, weight: 0.5743333333333333}},
  {source: 'rainstorm', target: 'https://example.org/rain#FlashFlood', props: {coincidence: 0.5, density: 1.0, depth: 0.6666666666666666, distance: 0.5, ontology: 'https://example.org/rain#local', path: ['洪水', '山洪'], relation: 0.8, weight: 0.5743333333333333}},
  {source: 'rainstorm', target: 'https://example.org/rain#FlashFlood', props: {coincidence: 0.25, density: 1.0, depth: 0.5, distance: 0.3333333333333333, ontology: 'https://example.org/rain#ontology', path: ['暴雨灾害', '洪水', '山洪'], relation: 0.8, weight: 0.4318333333333333}},
  {source: 'rainstorm', target: 'https://example.org/rain#Flood', props: {coincidence: 1.0, density: 1.0, depth: 1.0, distance: 1.0, ontology: 'https://example.org/rain#local', path: ['洪水'], relation: 1.0, weight: 1.0}},
  {source: 'rainstorm', target: 'https://example.org/rain#Flood', props: {coincidence: 0.5, density: 1.0, depth: 0.6666666666666666, distance: 0.5, ontology: 'https://example.org/rain#ontology', path: ['暴雨灾害', '洪水'], relation: 0.8, weight: 0.5743333333333333}},
  {source: 'rainstorm', target: 'https://example.org/rain#Levee', props: {coincidence: 0.5, density: 1.0, depth: 0.6666666666666666, distance: 0.5, ontology: 'https://example.org/rain#local', path: ['洪水', '堤防'], relation: 0.6, weight: 0.5503333333333332}},
  {source: 'rainstorm', target: 'https://example.org/rain#Levee', props: {coincidence: 0.3333333333333333, density: 1.0, depth: 0.5, distance: 0.3333333333333333, ontology: 'https://example.org/rain#ontology', path: ['暴雨灾害', '洪水', '堤坝'], relation: 0.6928203230275509, weight: 0.42147177209663944}},
  {source: 'rainstorm', target: 'https://example.org/rain#RedWarning', props: {coincidence: 0.3333333333333333, density: 1.0, depth: 0.5, distance: 0.3333333333333333, ontology: 'https://example.org/rain#ontology', path: ['暴雨灾害', '警报', '红色预警'], relation: 0.8, weight: 0.43433333333333335}},
  {source: 'rainstorm', target: 'https://example.org/rain#River', props: {coincidence: 0.5, density: 1.0, depth: 0.6666666666666666, distance: 0.5, ontology: 'https://example.org/rain#local', path: ['洪水', '河流'], relation: 0.8, weight: 0.5743333333333333}},
  {source: 'rainstorm', target: 'https://example.org/rain#Root', props: {coincidence: 1.0, density: 1.0, depth: 1.0, distance: 1.0, ontology: 'https://example.org/rain#ontology', path: ['暴雨灾害'], relation: 1.0, weight: 1.0}},
  {source: 'rainstorm', target: 'https://example.org/rain#Warning', props: {coincidence: 0.5, density: 1.0, depth: 0.6666666666666666, distance: 0.5, ontology: 'https://example.org/rain#ontology', path: ['暴雨灾害', '预警信号'], relation: 0.8, weight: 0.5743333333333333}},
  {source: 'rainstorm', target: 'https://example.org/rain#Waterlogging', props: {coincidence: 0.5, density: 1.0, depth: 0.6666666666666666, distance: 0.5, ontology: 'https://example.org/rain#ontology', path: ['暴雨灾害', '城市内涝'], relation: 0.8, weight: 0.5743333333333333}}
] AS row MATCH (a:Topic {name: row.source}) MATCH (b:Concept {iri: row.target}) MERGE (b)<-[r:WEIGHTS {ontology: row.props.ontology}]-(a) SET r += row.props;
UNWIND [
  {source: 'd1', target: '城市内涝', props: {tf: 3}},
  {source: 'd1', target: '暴雨灾害', props: {tf: 2}},
  {source: 'd2', target: 'Warning Signal', props: {tf: 1}},
  {source: 'd2', target: '洪水', props: {tf: 4}},
  {source: 'd3', target: '内涝', props: {tf: 1}},
  {source: 'd3', target: '暴雨灾害', props: {tf: 1}},
  {source: 'd3', target: '风险', props: {tf: 2}}
] AS row MATCH (a:Document {id: row.source}) MATCH (b:Term {text: row.target}) MERGE (a)-[r:HAS_TERM]->(b) SET r += row.props;
UNWIND [
  {source: 'Warning Signal', target: 'https://example.org/rain#Warning', props: {}},
  {source: '内涝', target: 'https://example.org/rain#Waterlogging', props: {}},
  {source: '城市内涝', target: 'https://example.org/rain#Waterlogging', props: {}},
  {source: '暴雨灾害', target: 'https://example.org/rain#Root', props: {}},
  {source: '洪水', target: 'https://example.org/rain#Flood', props: {}}
] AS row MATCH (a:Term {text: row.source}) MATCH (b:Concept {iri: row.target}) MERGE (a)-[r:DENOTES]->(b) SET r += row.props;
UNWIND [
  {source: 'small/C0', target: 'small/C1', props: {}},
  {source: 'small/C1', target: 'small/C2', props: {}}
] AS row MATCH (a:FormalConcept {id: row.source}) MATCH (b:FormalConcept {id: row.target}) MERGE (a)-[r:COVERS]->(b) SET r += row.props;
UNWIND [
  {source: 'small/C0', target: '风险', props: {}},
  {source: 'small/C1', target: '暴雨灾害', props: {}}
] AS row MATCH (a:FormalConcept {id: row.source}) MATCH (b:Term {text: row.target}) MERGE (a)-[r:OWN_TERM]->(b) SET r += row.props;
UNWIND [
  {source: 'small/C1', target: 'd1', props: {}},
  {source: 'small/C2', target: 'd2', props: {}},
  {source: 'small/C2', target: 'd3', props: {}}
] AS row MATCH (a:FormalConcept {id: row.source}) MATCH (b:Document {id: row.target}) MERGE (a)-[r:OWN_DOCUMENT]->(b) SET r += row.props;
UNWIND [
  {source: 'run-a', target: 'http://a.cn/1', props: {content_hash: 'hash1', evidence: '{"move":"best"}', final_url: 'http://a.cn/1', label: true, published: '2024-05-01', relevance: 0.9, relevant: true, snippet: '', status: 200, step: 1, title: '暴雨来袭'}},
  {source: 'run-b', target: 'http://a.cn/1', props: {authority: 2.7982463739896237e-09, content_hash: 'hash1', evidence: '{"move":"best"}', final_url: 'http://a.cn/1', hub: 0.85065080835204, label: true, pagerank: 0.2752987698759033, published: '2024-05-01', relevance: 0.9, relevant: true, snippet: '', status: 200, step: 1, title: '暴雨来袭'}},
  {source: 'run-a', target: 'http://a.cn/2', props: {content_hash: 'hash2', evidence: '{"move":"best"}', final_url: 'http://a.cn/2', label: false, priority: 0.5, relevance: 0.4, relevant: false, snippet: '', status: 200, step: 2, title: '城市内涝严重'}},
  {source: 'run-b', target: 'http://a.cn/2', props: {authority: 0.723606797749979, content_hash: 'hash4', evidence: '{"move":"best"}', final_url: 'http://a.cn/2', hub: 0.0, label: true, pagerank: 0.3249018782950778, priority: 0.5, published: '2024-05-03', relevance: 0.8, relevant: true, snippet: '', status: 200, step: 2, title: '城市内涝严重'}},
  {source: 'run-a', target: 'http://a.cn/3', props: {content_hash: 'hash3', evidence: '{"move":"best"}', final_url: 'http://a.cn/3', label: false, priority: 0.3333333333333333, relevance: 0.1, relevant: false, snippet: '', status: 200, step: 3, title: '体育新闻'}},
  {source: 'run-b', target: 'http://a.cn/3', props: {authority: 0.447213595499958, content_hash: 'hash3', evidence: '{"move":"best"}', final_url: 'http://a.cn/3', hub: 2.854461281298028e-57, label: true, pagerank: 0.22800131808889174, priority: 0.3333333333333333, relevance: 0.1, relevant: false, snippet: '', status: 200, step: 3, title: '体育新闻'}},
  {source: 'run-b', target: 'http://b.cn/4', props: {authority: 0.447213595499958, content_hash: 'hash4', evidence: '{"move":"best"}', final_url: 'http://b.cn/4', hub: 0.5257311121191336, label: true, pagerank: 0.22800131808889174, priority: 0.25, relevance: 0.7, relevant: true, snippet: '', status: 200, step: 4, title: '洪水预警信号'}},
  {source: 'run-b', target: 'http://b.cn/5', props: {authority: 5.429508004181406e-57, content_hash: 'hash5', evidence: '{"move":"best"}', final_url: 'http://b.cn/50', hub: 2.854461281298028e-57, label: false, pagerank: 0.3438011204123721, priority: 0.2, relevance: 0.2, relevant: false, snippet: '', status: 200, step: 5, title: '娱乐'}},
  {source: 'run-b', target: 'http://b.cn/6', props: {authority: 5.429508004181406e-57, content_hash: 'hash6', evidence: '{"move":"best"}', final_url: 'http://b.cn/6', hub: 4.413375534542694e-09, label: true, pagerank: 0.4422309524751378, priority: 0.16666666666666666, published: '2024-04-20', relevance: 0.95, relevant: true, snippet: '', status: 200, step: 6, title: '山洪暴发'}},
  {source: 'run-b', target: 'http://b.cn/7', props: {authority: 2.7982463739896237e-09, evidence: '{"move":"best"}', failure: 'timeout', final_url: 'http://b.cn/7', hub: 0.0, pagerank: 0.2752987698759033, priority: 0.14285714285714285, snippet: '', step: 7, title: ''}}
] AS row MATCH (a:Crawl {id: row.source}) MATCH (b:Page {url: row.target}) MERGE (b)<-[r:FETCHED]-(a) SET r += row.props;
UNWIND [
  {source: 'run-b', target: 'http://b.cn/8', props: {authority: 2.7982463739896237e-09, hub: 0.0, pagerank: 0.2752987698759033, reason: 'rejected'}},
  {source: 'run-b', target: 'http://c.cn/9', props: {authority: 0.276393202250021, hub: 0.0, pagerank: 0.24690056020618606, priority: 0.3, reason: 'waiting'}},
  {source: 'run-a', target: 'http://d.cn/10', props: {priority: 0.1, reason: 'waiting'}}
] AS row MATCH (a:Crawl {id: row.source}) MATCH (b:Page {url: row.target}) WITH row, a, b WHERE NOT EXISTS { MATCH (b)<-[:FETCHED]-(a) } MERGE (b)<-[r:KNOWS]-(a) SET r += row.props;
UNWIND [
  {source: 'http://a.cn/1', target: 'a.cn', props: {}},
  {source: 'http://a.cn/2', target: 'a.cn', props: {}},
  {source: 'http://a.cn/3', target: 'a.cn', props: {}},
  {source: 'http://b.cn/4', target: 'b.cn', props: {}},
  {source: 'http://b.cn/5', target: 'b.cn', props: {}},
  {source: 'http://b.cn/6', target: 'b.cn', props: {}},
  {source: 'http://b.cn/7', target: 'b.cn', props: {}},
  {source: 'http://b.cn/8', target: 'b.cn', props: {}},
  {source: 'http://c.cn/9', target: 'c.cn', props: {}},
  {source: 'http://d.cn/10', target: 'd.cn', props: {}}
] AS row MATCH (a:Page {url: row.source}) MATCH (b:Host {name: row.target}) MERGE (a)-[r:ON_HOST]->(b) SET r += row.props;
UNWIND [
  {source: 'http://a.cn/1', target: 'http://a.cn/2', props: {anchor: '另一个', crawl: 'run-a', relevance: 0.2}},
  {source: 'http://a.cn/1', target: 'http://a.cn/2', props: {anchor: '内涝', crawl: 'run-b', relevance: 0.5}},
  {source: 'http://a.cn/1', target: 'http://a.cn/3', props: {anchor: '体育', crawl: 'run-b', relevance: 0.0}},
  {source: 'http://a.cn/1', target: 'http://b.cn/4', props: {anchor: '洪水', crawl: 'run-b', relevance: 0.6}},
  {source: 'http://a.cn/2', target: 'http://a.cn/3', props: {anchor: '体育', crawl: 'run-a', relevance: 0.0}},
  {source: 'http://a.cn/3', target: 'http://b.cn/5', props: {anchor: '更多', crawl: 'run-b', relevance: 0.0}},
  {source: 'http://a.cn/3', target: 'http://d.cn/10', props: {anchor: '广告', crawl: 'run-a', relevance: 0.0}},
  {source: 'http://b.cn/4', target: 'http://a.cn/2', props: {anchor: '内涝', crawl: 'run-b', relevance: 0.5}},
  {source: 'http://b.cn/4', target: 'http://c.cn/9', props: {anchor: '天气', crawl: 'run-b', relevance: 0.1}},
  {source: 'http://b.cn/5', target: 'http://b.cn/6', props: {anchor: '山洪', crawl: 'run-b', relevance: 0.7}},
  {source: 'http://b.cn/6', target: 'http://a.cn/1', props: {anchor: '首页', crawl: 'run-b', relevance: 0.0}},
  {source: 'http://b.cn/6', target: 'http://b.cn/7', props: {anchor: '洪水', crawl: 'run-b', relevance: 0.6}},
  {source: 'http://b.cn/6', target: 'http://b.cn/8', props: {anchor: '广告', crawl: 'run-b', relevance: 0.0}}
] AS row MATCH (a:Page {url: row.source}) MATCH (b:Page {url: row.target}) MERGE (a)-[r:LINKS_TO {crawl: row.props.crawl}]->(b) SET r += row.props;
UNWIND [
  {source: 'http://a.cn/1', target: 'http://a.cn/2', props: {crawl: 'run-a'}},
  {source: 'http://a.cn/1', target: 'http://a.cn/2', props: {crawl: 'run-b'}},
  {source: 'http://a.cn/1', target: 'http://a.cn/3', props: {crawl: 'run-b'}},
  {source: 'http://a.cn/1', target: 'http://b.cn/4', props: {crawl: 'run-b'}},
  {source: 'http://a.cn/2', target: 'http://a.cn/3', props: {crawl: 'run-a'}},
  {source: 'http://a.cn/3', target: 'http://b.cn/5', props: {crawl: 'run-b'}},
  {source: 'http://a.cn/3', target: 'http://d.cn/10', props: {crawl: 'run-a'}},
  {source: 'http://b.cn/4', target: 'http://c.cn/9', props: {crawl: 'run-b'}},
  {source: 'http://b.cn/5', target: 'http://b.cn/6', props: {crawl: 'run-b'}},
  {source: 'http://b.cn/6', target: 'http://b.cn/7', props: {crawl: 'run-b'}},
  {source: 'http://b.cn/6', target: 'http://b.cn/8', props: {crawl: 'run-b'}}
] AS row MATCH (a:Page {url: row.source}) MATCH (b:Page {url: row.target}) MERGE (a)-[r:LED_TO {crawl: row.props.crawl}]->(b) SET r += row.props;
UNWIND [
  {source: 'http://a.cn/1', target: 'https://example.org/rain#Flood', props: {count: 1, crawl: 'run-b', weight: 0.5}},
  {source: 'http://a.cn/1', target: 'https://example.org/rain#Root', props: {count: 3, crawl: 'run-a', weight: 0.5}},
  {source: 'http://a.cn/1', target: 'https://example.org/rain#Root', props: {count: 3, crawl: 'run-b', weight: 0.5}},
  {source: 'http://a.cn/2', target: 'https://example.org/rain#Waterlogging', props: {count: 4, crawl: 'run-b', weight: 0.5}},
  {source: 'http://b.cn/4', target: 'https://example.org/rain#Flood', props: {count: 2, crawl: 'run-b', weight: 0.5}},
  {source: 'http://b.cn/4', target: 'https://example.org/rain#Warning', props: {count: 1, crawl: 'run-b', weight: 0.5}},
  {source: 'http://b.cn/6', target: 'https://example.org/rain#FlashFlood', props: {count: 5, crawl: 'run-b', weight: 0.5}},
  {source: 'http://b.cn/6', target: 'https://example.org/rain#Root', props: {count: 1, crawl: 'run-b', weight: 0.5}}
] AS row MATCH (a:Page {url: row.source}) MATCH (b:Concept {iri: row.target}) MERGE (a)-[r:MENTIONS {crawl: row.props.crawl}]->(b) SET r += row.props;
UNWIND [
  {source: 'run-b/海绵城市', target: 'https://example.org/rain#Waterlogging', props: {}}
] AS row MATCH (a:Proposal {id: row.source}) MATCH (b:Concept {iri: row.target}) MERGE (a)-[r:UNDER]->(b) SET r += row.props;
UNWIND [
  {source: 'run-b/列车效应', target: 'http://b.cn/6', props: {sentence: '列车效应明显。'}},
  {source: 'run-b/海绵城市', target: 'http://a.cn/2', props: {sentence: '建设海绵城市。'}}
] AS row MATCH (a:Proposal {id: row.source}) MATCH (b:Page {url: row.target}) MERGE (a)-[r:FOUND_IN]->(b) SET r += row.props;
