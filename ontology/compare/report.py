"""A difference in readable and machine-readable form: rows of a table, Markdown, and plain values for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ontology.compare.diff import Change, Difference
from ontology.model import Concept, Relation

TITLES = {
    "header": "header",
    "added": "concept added",
    "removed": "concept removed",
    "renamed": "renamed",
    "reidentified": "other IRI",
    "described": "described",
    "moved": "moved",
    "relations_added": "relation added",
    "relations_removed": "relation removed",
    "relations_changed": "evidence changed",
    "axioms_added": "statement added",
    "axioms_removed": "statement removed",
}
"""Field of Difference -> its title."""
_FIGURES = ("support", "confidence", "evidence", "documents", "sentence")


@dataclass(frozen=True, slots=True)
class Row:
    """One difference: its kind (a value of TITLES), its subject, the values before and after."""

    kind: str
    what: str
    before: str
    after: str


def rows(difference: Difference) -> Iterator[Row]:
    """Yield every difference as a row, in the order of TITLES."""
    d = difference
    for change in d.header:
        yield Row(TITLES["header"], change.field, _shown(change.old), _shown(change.new))
    for concept in d.added:
        yield Row(TITLES["added"], _named(concept), "", _labels(concept))
    for concept in d.removed:
        yield Row(TITLES["removed"], _named(concept), _labels(concept), "")
    for name in ("renamed", "described"):
        for changed in getattr(d, name):
            for change in changed.changes:
                before, after = _shown(change.old), _shown(change.new)
                yield Row(TITLES[name], f"{_named(changed.concept)}, {change.field}", before, after)
    for pair in d.reidentified:
        yield Row(TITLES["reidentified"], pair.new.label, pair.old.iri, pair.new.iri)
    for moved in d.moved:
        lost, gained = (", ".join(d.labels[iri] for iri in side) for side in (moved.lost, moved.gained))
        yield Row(TITLES["moved"], _named(moved.concept), lost, gained)
    yield from _relation_rows(d)


def _relation_rows(d: Difference) -> Iterator[Row]:
    for relation in d.relations_added:
        yield Row(TITLES["relations_added"], _edge(d, relation), "", _figures((relation,), _FIGURES))
    for relation in d.relations_removed:
        yield Row(TITLES["relations_removed"], _edge(d, relation), _figures((relation,), _FIGURES), "")
    for change in d.relations_changed:
        # The relations of one pair differ in these figures at least; with several of them, the order has no meaning.
        names = [f for f in _FIGURES if [getattr(r, f) for r in change.old] != [getattr(r, f) for r in change.new]]
        before, after = _figures(change.old, names), _figures(change.new, names)
        yield Row(TITLES["relations_changed"], _edge(d, change.new[0]), before, after)
    for stated in d.axioms_added:
        yield Row(TITLES["axioms_added"], d.labels.get(stated.subject, stated.subject), "", stated.statement)
    for stated in d.axioms_removed:
        yield Row(TITLES["axioms_removed"], d.labels.get(stated.subject, stated.subject), stated.statement, "")


def markdown(difference: Difference) -> str:
    """Return the difference as a Markdown document: a heading, one line of numbers, one table."""
    lines = [f"# {difference.old} → {difference.new}", ""]
    if difference.equal:
        return "\n".join([*lines, "No difference.", ""])
    summary = ", ".join(f"{TITLES[name]}: {n}" for name, n in difference.counts().items() if n)
    lines += [summary, "", "| difference | what | before | after |", "|---|---|---|---|"]
    for row in rows(difference):
        cells = (row.kind, row.what, row.before, row.after)
        lines.append(f"| {' | '.join(_cell(cell) for cell in cells)} |")
    return "\n".join([*lines, ""])


def plain(difference: Difference) -> dict[str, Any]:
    """Return the difference as JSON values: ``equal``, ``counts``, and a list for each kind of TITLES."""
    d = difference
    return {
        "equal": d.equal,
        "old": d.old,
        "new": d.new,
        "counts": d.counts(),
        "header": [asdict(change) for change in d.header],
        "added": [_plain_concept(c) for c in d.added],
        "removed": [_plain_concept(c) for c in d.removed],
        "renamed": [_plain_change(c.concept, c.changes) for c in d.renamed],
        "reidentified": [_plain_concept(p.new) | {"old_iri": p.old.iri} for p in d.reidentified],
        "described": [_plain_change(c.concept, c.changes) for c in d.described],
        "moved": [_plain_concept(m.concept) | {"lost": m.lost, "gained": m.gained} for m in d.moved],
        "relations_added": [asdict(r) for r in d.relations_added],
        "relations_removed": [asdict(r) for r in d.relations_removed],
        "relations_changed": [
            {"old": [asdict(r) for r in c.old], "new": [asdict(r) for r in c.new]} for c in d.relations_changed
        ],
        "axioms_added": [asdict(stated) for stated in d.axioms_added],
        "axioms_removed": [asdict(stated) for stated in d.axioms_removed],
    }


def _plain_concept(concept: Concept) -> dict[str, Any]:
    return {"iri": concept.iri, "zh": concept.label_zh, "en": concept.label_en}


def _plain_change(concept: Concept, changes: tuple[Change, ...]) -> dict[str, Any]:
    return _plain_concept(concept) | {"changes": [asdict(change) for change in changes]}


def _named(concept: Concept) -> str:
    end = concept.iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]
    return concept.label if concept.label == end else f"{concept.label} ({end})"


def _labels(concept: Concept) -> str:
    return " / ".join(label for label in (concept.label_zh, concept.label_en) if label)


def _edge(difference: Difference, relation: Relation) -> str:
    labels = difference.labels
    return f"{labels[relation.source]} {relation.kind} {labels[relation.target]}"


def _figures(relations: tuple[Relation, ...], names: tuple[str, ...] | list[str]) -> str:
    values = [[(name, getattr(r, name)) for name in names if getattr(r, name) not in (None, "", ())] for r in relations]
    return " | ".join("; ".join(f"{name}: {_shown(value)}" for name, value in pairs) for pairs in values)


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value) if value is not None else ""


def _cell(text: str) -> str:
    """Return text escaped for a cell of a Markdown table."""
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())
