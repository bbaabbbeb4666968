"""A small ontology, papers and two crawls of one small web, for the tests of the graph and of the queries.

The web, by step of the newer crawl (+ relevant, - not): seed 1+ links to 2+, 3-, 4+; 3- to 5-; 5- to 6+ (a tunnel of
two irrelevant pages); 6+ to 7 (failed), 8 (known, rejected) and 1; 4+ to 2 and 9 (known, waiting).
"""

from __future__ import annotations

from kg.papers import FormalConceptRow
from kg.records import CrawlRow, KnownRow, LinkRow, Mention, OutcomeRow, WeightedTerm
from ontology.enrichment import PageSentence, PageText, Proposal
from ontology.model import Concept, Document, Ontology, Relation
from ontology.similarity import Factors

BASE = "https://example.org/rain#"
CRAWL = CrawlRow("run-b", "fcosa_lg", "rainstorm", "synthetic:small", "2024-05-02T00:00:00Z", "limit_pages")
OLDER = CrawlRow("run-a", "breadth_first", "rainstorm", "synthetic:small", "2024-05-01T00:00:00Z", "limit_pages")
SEED = "http://a.cn/1"


def concept(name: str, zh: str, en: str, alt: tuple[str, ...] = ()) -> Concept:
    return Concept(BASE + name, zh, en, alt)


def is_a(narrower: str, broader: str, support: int | None = None) -> Relation:
    return Relation(BASE + narrower, "subclass_of", BASE + broader, support, None if support is None else 0.5)


CONCEPTS = (
    concept("Root", "暴雨灾害", "rainstorm disaster"),
    concept("Waterlogging", "城市内涝", "city waterlogging", ("内涝",)),
    concept("Flood", "洪水", "flood"),
    concept("FlashFlood", "山洪", "flash flood"),
    concept("Warning", "预警信号", "warning signal"),
    concept("RedWarning", "红色预警", "red warning"),
    concept("Alert", "警报", "alert"),
    concept("Levee", "堤坝", "levee"),
)
ONTOLOGY = Ontology(
    BASE + "ontology",
    "global",
    "rainstorm",
    "1",
    BASE + "Root",
    CONCEPTS,
    (
        is_a("Waterlogging", "Root", 3),
        is_a("Flood", "Root"),
        is_a("FlashFlood", "Flood"),
        is_a("FlashFlood", "Waterlogging"),
        is_a("Warning", "Root"),
        is_a("RedWarning", "Warning"),
        Relation(BASE + "Levee", "part_of", BASE + "Flood"),
        Relation(BASE + "Alert", "equivalent_to", BASE + "Warning"),
        Relation(BASE + "Flood", "causes", BASE + "Waterlogging", evidence="洪水引发城市内涝"),
    ),
    title_zh="暴雨",
    title_en="rainstorm",
)

TITLES = ("暴雨来袭", "城市内涝严重", "体育新闻", "洪水预警信号", "娱乐", "山洪暴发")


def outcome(step: int, relevance: float | None, *mentions: tuple[str, int], failure: str | None = None) -> OutcomeRow:
    url = f"http://{'a' if step < 4 else 'b'}.cn/{step}"
    relevant = None if relevance is None else relevance > 0.5
    return OutcomeRow(
        step=step,
        url=url,
        host=url.split("/")[2],
        status=None if failure else 200,
        final_url=url,
        title=TITLES[step - 1] if step <= len(TITLES) else "",
        published="2024-05-01" if step == 1 else None,
        content_hash=None if failure else f"hash{step}",
        snippet="",
        relevance=relevance,
        relevant=relevant,
        label=relevant,
        priority=None if step == 1 else 1 / step,
        failure=failure,
        evidence='{"move":"best"}',
        mentions=tuple(Mention(BASE + name, count, 0.5) for name, count in mentions),
    )


OUTCOMES = (
    outcome(1, 0.9, ("Root", 3), ("Flood", 1)),
    outcome(2, 0.8, ("Waterlogging", 4)),
    outcome(3, 0.1),
    outcome(4, 0.7, ("Flood", 2), ("Warning", 1)),
    outcome(5, 0.2),
    outcome(6, 0.95, ("FlashFlood", 5), ("Root", 1)),
    outcome(7, None, failure="timeout"),
)


def link(source: str, target: str, anchor: str, relevance: float) -> LinkRow:
    return LinkRow(f"http://{source}", f"http://{target}", target.split("/")[0], anchor, relevance)


LINKS = (
    link("a.cn/1", "a.cn/2", "内涝", 0.5),
    link("a.cn/1", "a.cn/3", "体育", 0.0),
    link("a.cn/1", "b.cn/4", "洪水", 0.6),
    link("a.cn/3", "b.cn/5", "更多", 0.0),
    link("b.cn/4", "a.cn/2", "内涝", 0.5),
    link("b.cn/4", "c.cn/9", "天气", 0.1),
    link("b.cn/5", "b.cn/6", "山洪", 0.7),
    link("b.cn/6", "b.cn/7", "洪水", 0.6),
    link("b.cn/6", "b.cn/8", "广告", 0.0),
    link("b.cn/6", "a.cn/1", "首页", 0.0),
)
KNOWN = (KnownRow("http://b.cn/8", "b.cn", None, "rejected"), KnownRow("http://c.cn/9", "c.cn", 0.3, "waiting"))

OLDER_OUTCOMES = (outcome(1, 0.9, ("Root", 3)), outcome(2, 0.4), outcome(3, 0.1))
OLDER_LINKS = (
    link("a.cn/1", "a.cn/2", "另一个", 0.2),
    link("a.cn/2", "a.cn/3", "体育", 0.0),
    link("a.cn/3", "d.cn/10", "广告", 0.0),
)
OLDER_KNOWN = (KnownRow("http://d.cn/10", "d.cn", 0.1, "waiting"),)

DOCUMENTS = (
    Document("d1", "暴雨与城市内涝", "", year=2020),
    Document("d2", "洪水预报", "", year=2021),
    Document("d3", "城市内涝的暴雨灾害风险", "", year=2022),
)
TERMS = {
    "d1": {"暴雨灾害": 2, "城市内涝": 3},
    "d2": {"洪水": 4, "Warning Signal": 1},
    "d3": {"暴雨灾害": 1, "内涝": 1, "风险": 2},
}
LATTICE = (
    FormalConceptRow("C0", 3, 0.5, ("风险",), ()),
    FormalConceptRow("C1", 2, None, ("暴雨灾害",), ("d1",)),
    FormalConceptRow("C2", 1, None, (), ("d2", "d3")),
)
COVERS = (("C0", "C1"), ("C1", "C2"))

PROPOSALS = (
    Proposal(
        "concept", "海绵城市", "subclass_of", BASE + "Waterlogging", "城市内涝", 2.5, 3,
        (PageSentence("建设海绵城市。", "http://a.cn/2", 2, 6, "2024-05-01T08:00:00+00:00", "run-b"),
         PageSentence("海绵城市试点。", "http://b.cn/4", 0, 4, "2024-05-01T08:00:02+00:00", "run-b")),
        rule="pattern", reason="“海绵城市等城市内涝”",
    ),
    Proposal(
        "relation", "洪水", "causes", BASE + "Waterlogging", "城市内涝", 2.0, 2,
        (PageSentence("洪水引发城市内涝。", "http://b.cn/4", 0, 8, "2024-05-01T08:00:02+00:00", "run-b"),),
        source=BASE + "Flood", rule="cue", reason="引发",
    ),
    Proposal(
        "concept", "列车效应", "subclass_of", None, None, 1.5, 2,
        (PageSentence("列车效应明显。", "http://b.cn/6", 0, 4, "2024-05-01T08:00:03+00:00", "run-b"),),
    ),
)  # fmt: skip
PAGES = tuple(PageText(o.url, o.title, o.title, o.relevance or 0.0, bool(o.relevant)) for o in OUTCOMES)
WEIGHTS = (
    WeightedTerm(
        BASE + "Root", "暴雨灾害", (("zh", "暴雨灾害"),), 1, Factors(1, 1, 1, 1, 1), ("暴雨灾害",), ONTOLOGY.iri
    ),
)
