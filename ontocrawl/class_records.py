"""What is recorded about a class beside its ontology: decisions, verdicts with their sentences, papers, mappings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ontocrawl import deciding, histories, reviewed
from ontocrawl.topics import Level, Topic
from ontocrawl.workspace import Workspace
from ontology.decisions import Decision, table
from ontology.decisions.decision import PARTS
from ontology.model import Concept
from ontology.terms.wordforms import normal


def record(space: Workspace, topic: Topic, level: Level, concept: Concept) -> dict[str, Any]:
    """Return what is recorded about a class of a topic.

    Args:
        space: the workspace, with the decisions and verdicts.
        topic: the topic.
        level: the level of the ontology that has the class.
        concept: the class.

    Returns:
        JSON values: ``decisions`` with their status and first version, the last first; ``verdicts`` about proposals
        with their sentences; ``papers`` that the relations of the class name; ``mappings``.

    Raises:
        DecisionError, VersionError, ReviewedError: a damaged file.
    """
    names = {concept.iri, *(normal(form) for _, form in concept.forms())}
    return {
        "decisions": [*_decisions(space, topic, names)][::-1],
        "verdicts": [*_verdicts(space, topic, names)],
        "papers": _papers(level, concept),
        "mappings": [*_mappings(level, concept)],
    }


def _names_it(decision: Decision, names: set[str]) -> bool:
    given = (decision.term, decision.old, *decision.value.split(PARTS))
    return any(text in names or normal(text) in names for text in given if text)


def _decisions(space: Workspace, topic: Topic, names: set[str]) -> Iterator[dict[str, Any]]:
    """Yield the decisions that name a class: those of the workspace, and those beside the ontologies."""
    place = histories.place_of_topic(topic)
    own = table.numbered(table.read(place.decisions))
    history = histories.History(
        place.records, place.store.all(), (*deciding.shared(space, topic.name, place.records), *own)
    )
    for decision in history.decisions:
        if _names_it(decision, names):
            yield asdict(decision) | {"status": history.status(decision), "since": history.since(decision)}


def _verdicts(space: Workspace, topic: Topic, names: set[str]) -> Iterator[dict[str, Any]]:
    for one in reviewed.read_verdicts(space, topic.name).standing.values():
        p = one.proposal
        if {normal(p.term), p.source, p.target if p.kind != "concept" else None} & names:
            yield {
                "id": one.id, "action": one.verdict.action, "value": one.verdict.value, "who": one.who,
                "when": one.when, "why": one.why, "kind": p.kind, "term": p.term,
                "sentences": [asdict(sentence) for sentence in p.sentences],
            }  # fmt: skip


def _papers(level: Level, concept: Concept) -> dict[str, dict[str, Any]]:
    """Return id -> title and year of the papers that the relations of a class name."""
    relations = level.ontology.relations
    named = {id_ for r in relations if concept.iri in (r.source, r.target) for id_ in r.documents}
    known = level.papers.documents if level.papers is not None and named else ()
    return {d.id: {"title": d.title or d.title_en, "year": d.year} for d in known if d.id in named}


def _mappings(level: Level, concept: Concept) -> Iterator[dict[str, Any]]:
    """Yield the mappings by which a class is one with a class of another ontology, and its references."""
    for m in level.joined.matches:
        if concept.iri in (m.subject, m.object):
            yield {"predicate": m.predicate, "subject": m.subject, "object": m.object, "label": m.subject_label}
    for reference in concept.xrefs:
        yield {"predicate": "oboInOwl:hasDbXref", "subject": concept.iri, "object": reference, "label": ""}
