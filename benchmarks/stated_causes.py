"""Relations that pages state: recall on cause-effect triples of others, and pairs drawn for judging.

The triples are the 454 of `hazard_kg_triples.jsonl` and the 20 of `golden_relations_20.json` (which a language model
made; no gold standard of persons). One counts if

1. its verb says that the first end brings about or worsens the second (CAUSAL; 降低 or 使用 do not),
2. both ends are known concepts, different ones, by a label of theirs, and
3. both ends stand in the title, summary and full text of one news item; a label within a longer label of any class is
   an occurrence of the longer one alone.

An end of the golden relations is an event, written as a clause: its concept is the last one that the clause names.
A triple is found if a proposed relation `causes` leads from its first end to its second. Two ontologies are used: one
whose classes are the ends of all triples, and the curated one of the topic `rainstorm`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from benchmarks.agreement import draw
from benchmarks.enrich_pages import NEWS, guangdong, rainstorm
from ontology.enrichment import PageText, Proposal, propose
from ontology.enrichment.labels import Labels
from ontology.model import Concept, Ontology, Relation
from ontology.terms import sentences
from ontology.terms.wordforms import normal

CAUSAL = frozenset((
    "导致", "引发", "造成", "引起", "触发", "加剧", "增加", "促进", "增强", "加速", "影响", "破坏", "损害", "威胁",
    "干扰", "阻断",
))  # fmt: skip
DRAWN, SEED = 50, 19
MOST = 2_000
BASE = "https://example.org/causes#"
Pair = tuple[str, str]
"""IRIs of a cause and of its effect."""


def of_ends() -> Ontology:
    """Return an ontology whose classes are the ends of all triples, directly below one root."""
    ends = dict.fromkeys(end for row in triples() for end in (row["entity_1"], row["entity_2"]))
    root = Concept(f"{BASE}root", "灾害因果")
    concepts = [Concept(f"{BASE}{end}", end) for end in ends]
    edges = tuple(Relation(concept.iri, "subclass_of", root.iri) for concept in concepts)
    return Ontology(BASE.rstrip("#"), "global", "causes", "1", root.iri, (root, *concepts), edges)


def triples() -> list[dict[str, str]]:
    """Read the triples whose verb is causal."""
    lines = (NEWS / "hazard_kg_triples.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["relation"] in CAUSAL]


def golden() -> list[dict[str, str]]:
    """Read the relations between events of the 20 full texts."""
    text = (NEWS / "golden_relations_20.json").read_text(encoding="utf-8")
    found: list[dict[str, str]] = json.loads(text)["relations"]
    return found


def known_pairs(ontologies: Sequence[Ontology]) -> tuple[set[Pair], set[Pair]]:
    """Return the pairs of concepts that the triples, and the golden relations, say something of."""
    labels = Labels({c.iri: c for ontology in ontologies for c in ontology.concepts}.values())

    by_form = {normal(form): c.iri for o in reversed(ontologies) for c in o.concepts for _, form in c.forms()}

    def last(text: str) -> str | None:
        return next(iter(reversed(labels.concepts_in(text))), None)

    stated = {(by_form.get(normal(row["entity_1"])), by_form.get(normal(row["entity_2"]))) for row in triples()}
    events = {(last(row["source_event_name"]), last(row["target_event_name"])) for row in golden()}
    return _different(stated), _different(events)


def _different(pairs: Iterable[tuple[str | None, str | None]]) -> set[Pair]:
    return {(a, b) for a, b in pairs if a is not None and b is not None and a != b}


def together(
    pairs: Iterable[Pair], ontologies: Sequence[Ontology], pages: Iterable[PageText]
) -> tuple[set[Pair], set[Pair]]:
    """Return the pairs whose ends stand in one text, and those of them whose ends stand in one sentence."""
    labels = Labels({c.iri: c for ontology in ontologies for c in ontology.concepts}.values())
    wanted, in_text, in_sentence = set(pairs), set[Pair](), set[Pair]()
    for page in pages:
        if page.relevant:
            named = [set(labels.concepts_in(s)) for block in (page.title, page.text) for s in sentences(block)]
            in_text |= wanted & set(product(set().union(*named), repeat=2)) if named else set()
            for some in named:
                in_sentence |= wanted & set(product(some, repeat=2))
    return in_text, in_sentence


def relations(pages: Sequence[PageText], ontologies: Sequence[Ontology]) -> list[Proposal]:
    """Return the relations among the proposals, the best first."""
    return [p for p in propose(pages, ontologies, limit=MOST) if p.kind == "relation"]


def drawn(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Draw 50 relations to be judged."""
    by_key = {p.key: p for p in proposals}
    return [by_key[key] for (key,) in draw([(key,) for key in by_key], DRAWN, SEED)]


def figures(most: int = 10**6) -> list[dict[str, Any]]:
    """Count the triples, and those that proposals find, by ontology.

    Args:
        most: maximum number of pages of each source.
    """
    pages = guangdong(most)
    rows = []
    for name, ontologies in (("ends of the triples", (of_ends(),)), ("rainstorm", rainstorm())):
        proposals = relations(pages, ontologies)
        causes = {(p.source, p.target) for p in proposals if p.relation == "causes"}
        for what, pairs in zip(("triples", "golden relations"), known_pairs(ontologies), strict=True):
            in_text, in_sentence = together(pairs, ontologies, pages)
            rows.append(
                {
                    "ontology": name,
                    "list": what,
                    "known_ends": len(pairs),
                    "in_one_text": len(in_text),
                    "in_one_sentence": len(in_sentence),
                    "found": len(in_text & causes),
                    "extracted": len(proposals),
                }
            )
    return rows
