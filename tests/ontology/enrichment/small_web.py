"""Small crawls for tests: sentences spread over pages and hosts, and the ontology that they are about."""

from __future__ import annotations

from collections.abc import Sequence

from ontology.enrichment import PageText, Proposal, propose
from ontology.model import Concept, Ontology, Relation

BASE = "https://example.org/h#"
TREE = (
    ("Hazard", "灾害", "hazard", None),
    ("Geohazard", "地质灾害", "geological hazard", "Hazard"),
    ("Landslide", "滑坡", "landslide", "Geohazard"),
    ("DebrisFlow", "泥石流", "debris flow", "Geohazard"),
    ("Collapse", "崩塌", "rock collapse", "Geohazard"),
    ("Weather", "气象灾害", "meteorological hazard", "Hazard"),
    ("Rainstorm", "暴雨", "rainstorm", "Weather"),
    ("Hail", "冰雹", "hail", "Weather"),
    ("Flood", "洪水", "flood", "Hazard"),
    ("Waterlogging", "城市内涝", "urban waterlogging", "Hazard"),
    ("Warning", "预警信号", "warning signal", "Hazard"),
)


def ontology(*relations: tuple[str, str, str]) -> Ontology:
    """Return the ontology, with further relations (source, kind, target)."""
    concepts = tuple(Concept(BASE + name, zh, en) for name, zh, en, _ in TREE)
    edges = [Relation(BASE + name, "subclass_of", BASE + above) for name, _, _, above in TREE if above]
    edges += [Relation(BASE + s, kind, BASE + t) for s, kind, t in relations]  # type: ignore[arg-type]
    return Ontology("https://example.org/h", "global", "hazards", "1", BASE + "Hazard", concepts, tuple(edges))


OFF_TOPIC_ZH = (
    "球队在第{n}轮获胜，球迷庆祝。",
    "{n}家餐馆参加美食节。",
    "股市今天下跌{n}点。",
    "电影票房达到{n}万元。",
)
OFF_TOPIC_EN = (
    "The team won match {n} on Sunday.",
    "About {n} restaurants joined the festival.",
    "Shares fell by {n} points in the afternoon.",
    "The film earned {n} dollars.",
)


def web(sentences: Sequence[str], *, copies: int = 2, off_topic: Sequence[str] = OFF_TOPIC_ZH) -> list[PageText]:
    """Return a relevant page for each sentence and copy on a host of its own, and as many other pages; {n} varies."""
    glue = " " if off_topic is OFF_TOPIC_EN else ""
    pages = []
    for n in range(copies * len(sentences)):
        text = sentences[n % len(sentences)].format(n=n + 3) + glue + off_topic[n % 4].format(n=n + 2)
        pages.append(PageText(f"http://on{n}.example.cn/{n}", "", text, 0.9, True, "2024-08-01T00:00:00Z"))
        other = off_topic[n % 4].format(n=n + 7) + glue + off_topic[(n + 1) % 4].format(n=n + 9)
        pages.append(PageText(f"http://off{n}.example.cn/{n}", "", other, 0.0, False))
    return pages


def found(pages: Sequence[PageText], of: Ontology | None = None, limit: int = 100) -> dict[str, Proposal]:
    """Return the proposals by term, relations by "source kind target"."""
    proposals = propose(pages, [of or ontology()], limit=limit, others=())
    names = (f"{p.term} {p.relation} {p.target_label}" if p.kind == "relation" else p.term for p in proposals)
    return dict(zip(names, proposals, strict=True))
