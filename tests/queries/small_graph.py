"""The small web of tests/kg, and what queries ask about beyond it: a local ontology, dates, a duplicate, a redirect.

In the newer crawl page 2 has the content of page 4, page 5 moved, pages 1, 2 and 6 tell a date, and page 3 is relevant
by its label and not by the judge. A revisit of it found page 2 changed, page 3 gone, and page 6. Two concepts of the
global ontology share a name.
"""

from __future__ import annotations

from dataclasses import replace

from kg.enrich import save_proposals
from kg.load import load_ontology
from kg.papers import FormalConceptRow, load_documents, load_lattice
from kg.project import project_crawl
from kg.ranking.crawl_ranks import rank_crawl
from kg.sentences import ConceptNames
from kg.store import GraphStore
from kg.weights import save_weights, topic_weights
from ontology.enrichment import PageSentence
from ontology.model import Ontology, Relation
from tests.kg import small_crawl as web

A1, A2, A3, B4, B5, B6, B7 = (o.url for o in web.OUTCOMES)
B8, C9 = "http://b.cn/8", "http://c.cn/9"
GLOBAL, LOCAL = web.ONTOLOGY.iri, web.BASE + "local"
LOCAL_ONTOLOGY = Ontology(
    LOCAL,
    "local",
    "rainstorm",
    "1",
    web.BASE + "Flood",
    (
        web.concept("Flood", "洪水", "flood"),
        web.concept("FlashFlood", "山洪", "flash flood"),
        web.concept("Levee", "堤防", "levee"),
        web.concept("River", "河流", "river"),
    ),
    (
        web.is_a("FlashFlood", "Flood"),
        web.is_a("River", "Flood", 1),
        Relation(web.BASE + "Levee", "part_of", web.BASE + "Flood"),
        Relation(web.BASE + "Flood", "measured_by", web.BASE + "River", 1, evidence="cue 测量"),
    ),
    title_zh="洪水",
    title_en="flood",
)
CLAIMS = tuple(
    FormalConceptRow(name, support, own_classes=tuple(web.BASE + c for c in classes))
    for name, support, classes in (("top", 3, ()), ("water", 2, ("Waterlogging",)), ("flash", 1, ("FlashFlood",)))
)
CLAIMED = (("top", "water"), ("water", "flash"))
NAMES = ConceptNames((c.iri, language, form) for c in web.CONCEPTS for language, form in c.forms())
TEXTS = {A1: "受暴雨影响，市区严重内涝。", A2: "城市内涝由排水不畅引起。", B4: "The Floods rose. 洪水退去。"}
OUTCOMES = tuple(replace(row, text=TEXTS.get(row.url, "")) for row in web.OUTCOMES)
PAPERS = (replace(web.DOCUMENTS[0], abstract="研究了城市内涝。"), *web.DOCUMENTS[1:])
OLDER_PROPOSAL = replace(
    web.PROPOSALS[0], score=3.5, pages=1, reason="of run-a", sentences=(PageSentence("海绵城市。", A1, 0, 4),)
)
_SET = """UNWIND $rows AS row
MATCH (:Page {url: row.url})<-[f:FETCHED]-(:Crawl {id: 'run-b'})
SET f += row.props
"""
_CHANGES = (
    {"url": A2, "props": {"content_hash": "hash4", "published": "2024-05-03"}},
    {"url": A3, "props": {"label": True}},
    {"url": A1, "props": {"first_seen": "2024-05-02", "last_seen": "2024-06-01"}},
    {"url": A2, "props": {"first_seen": "2024-05-02", "last_seen": "2024-06-02", "changed": "2024-06-02"}},
    {"url": A3, "props": {"first_seen": "2024-05-02", "last_seen": "2024-05-02", "gone": "2024-06-01"}},
    {"url": B6, "props": {"first_seen": "2024-06-02", "last_seen": "2024-06-02", "found_at_revisit": 1}},
    {"url": B5, "props": {"final_url": "http://b.cn/50"}},
    {"url": B6, "props": {"published": "2024-04-20"}},
)
_NAME = """MATCH (c:Concept {iri: $concept})-[m:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
SET m.alt_zh = ['警报']
"""


def fill(store: GraphStore) -> GraphStore:
    """Write the graph into an empty store that has its schema."""
    load_ontology(store, LOCAL_ONTOLOGY)
    load_ontology(store, web.ONTOLOGY)  # the later one gives the concepts' own labels
    load_documents(store, PAPERS, lambda d: web.TERMS[d.id], ontology=GLOBAL, digest="of the papers")
    load_lattice(store, "small", web.LATTICE, web.COVERS, ontology=GLOBAL)
    load_lattice(store, "claims", CLAIMS, CLAIMED, context="claims", ontology=GLOBAL)
    project_crawl(store, web.OLDER, web.OLDER_OUTCOMES, web.OLDER_LINKS, web.OLDER_KNOWN, seeds=[web.SEED])
    project_crawl(store, web.CRAWL, OUTCOMES, web.LINKS, web.KNOWN, seeds=[web.SEED], names=NAMES)
    store.write(_SET, _CHANGES)
    store.write(_NAME, concept=web.BASE + "Levee", ontology=GLOBAL)
    rank_crawl(store, web.CRAWL.id)
    for ontology in (GLOBAL, LOCAL):
        save_weights(store, "rainstorm", topic_weights(store, ontology))
    save_proposals(store, "rainstorm", web.PROPOSALS, web.CRAWL.id, ontology=GLOBAL)
    save_proposals(store, "rainstorm", [OLDER_PROPOSAL], web.OLDER.id, ontology=GLOBAL)
    return store
