"""A small output folder of `ontology build`: eight classes on floods, and two papers."""

from __future__ import annotations

import json
from pathlib import Path

from ontocrawl.topics import papers
from ontocrawl.topics.papers import Papers
from ontology import owl
from ontology.model import Concept, Document, Ontology, Relation

BASE = "https://example.org/flood"
NAMES = {
    "Topic": ("灾害学", "disaster studies"),
    "Disaster": ("灾害", "disaster"),
    "Phenomenon": ("现象", "phenomenon"),
    "Flood": ("洪水", "flood"),
    "FlashFlood": ("山洪", "flash flood"),
    "Surge": ("风暴潮", "storm surge"),
    "Typhoon": ("台风", "typhoon"),
    "River": ("河流", "river"),
}
EDGES = [
    ("Disaster", "Topic", 0, "topic root", ""), ("Phenomenon", "Topic", 0, "topic root", ""),
    ("River", "Topic", 0, "topic root", ""), ("Flood", "Disaster", 2, "top class", ""),
    ("FlashFlood", "Flood", 1, "head noun", "山洪是一种突发的洪水。"), ("Surge", "Phenomenon", 1, "top class", ""),
    ("Typhoon", "Phenomenon", 2, "top class", ""), ("FlashFlood", "Phenomenon", 1, "top class", ""),
]  # fmt: skip
TERMS = {"p1": ("灾害", "洪水", "山洪", "台风"), "p2": ("灾害", "洪水", "台风", "风暴潮", "河流")}


def iri(name: str) -> str:
    return f"{BASE}#{name}"


def made() -> Ontology:
    """The ontology."""
    concepts = tuple(Concept(iri(name), zh, en) for name, (zh, en) in NAMES.items())
    relations = tuple(
        Relation(iri(low), "subclass_of", iri(high), support=count, confidence=1.0, evidence=rule,
                 documents=("p1",) if count else (), sentence=sentence)
        for low, high, count, rule, sentence in EDGES
    )  # fmt: skip
    return Ontology(BASE, "global", "flood", "0.1.0+abc", iri("Topic"), concepts, relations)


def written(out: Path) -> Path:
    """Write the ontology and its papers into a new folder, as `ontology build` names them."""
    out.mkdir()
    ontology = made()
    owl.write(ontology, out / "flood.ttl")
    documents = (Document("p1", "山洪预警研究", year=2020), Document("p2", "台风与风暴潮", year=2021))
    counts = {paper: dict.fromkeys(terms, 1) for paper, terms in TERMS.items()}
    papers.write(Papers(ontology.key, documents, counts), papers.path_beside(out / "flood.ttl", ontology))
    return out


WAITING = [
    {"term": "海啸", "places": ["灾害", "现象"], "sentences": [{"document": "p1", "text": "海啸由地震引起。"}]},
    {"term": "堤防", "places": [], "sentences": []},
]


def waiting_topic(topics: Path, name: str) -> Path:
    """Write a topic whose build found no place for two terms; returns the file of the topic."""
    folder = written(topics / f"{name}-built")
    text = f'''
name = "{name}"
label = {{ zh = "灾害学", en = "disaster studies" }}
relevance = "paper_000"
sigma = 0.3
ontologies = ["flood.ttl"]
seeds = []

[[words]]
weight = 1.0
zh = ["灾害"]
'''
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    (folder / "summary.json").write_text(json.dumps({"waiting": WAITING}, ensure_ascii=False), encoding="utf-8")
    return path
