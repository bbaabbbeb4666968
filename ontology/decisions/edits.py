"""What a person changed in a file, as decisions: the file as it was built, and as it is now.

A class that is in both under another IRI, with the same labels, is one whose IRI was changed. A class that lost one
superclass and gained one was moved. Of a class that was made deprecated, what replaces it tells whether it was merged
or split. Figures of evidence are measured by builds: a change of them is no decision, and is listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ontology.compare import Difference, diff
from ontology.decisions.applying import DEPRECATED
from ontology.decisions.decision import CLASS, HEADER_FIELDS, IRI, PARTS, SCOPED, SYNONYM, XREF, Decision
from ontology.decisions.facts import Facts
from ontology.errors import Message
from ontology.model import Concept, Ontology, OtherText, Relation

NameOf = Callable[[Concept], str]
"""Returns the label or the IRI by which decisions name a class."""
LABELS = (("zh", "label_zh", "alt_zh", "definition"), ("en", "label_en", "alt_en", "definition_en"))
"""Language, and its fields of a concept: label, other names, definition."""


@dataclass(frozen=True)
class Edits:
    """What a person changed in one file.

    Attributes:
        decisions: the changes, without id, name and date.
        unkept: changes that builds do not keep, one sentence each.
    """

    decisions: tuple[Decision, ...]
    unkept: tuple[str, ...] = ()


def edits(built: Ontology, edited: Ontology, name_of: NameOf) -> Edits:
    """Return the decisions that lead from an ontology as it was built to what a person made of it.

    Args:
        built: the ontology as it was built.
        edited: the same after it was edited.
        name_of: returns the label or the IRI by which a decision names a class.

    Returns:
        The decisions; classes come before edges.

    >>> from ontology.model import Relation
    >>> disaster, flood = Concept("disaster", "灾害"), Concept("flood", "洪水")
    >>> built = Ontology("o", "global", "t", "1", "disaster", (disaster, flood),
    ...                  (Relation("flood", "subclass_of", "disaster"),))
    >>> edited = replace(built, concepts=(disaster, replace(flood, label_en="flood")), relations=())
    >>> [(d.action, d.term, d.value) for d in edits(built, edited, lambda c: c.label).decisions]
    [('translate', '洪水', 'flood'), ('reject', '洪水', '灾害')]
    """
    difference = diff(built, edited)
    return Edits((*_classes(built, edited, difference, name_of), *_edges(built, edited, difference, name_of),
                  *_header(difference)), tuple(_unkept(difference)))  # fmt: skip


def _classes(built: Ontology, edited: Ontology, difference: Difference, name_of: NameOf) -> Iterator[Decision]:
    for pair in difference.reidentified:
        yield Decision("rename", name_of(pair.old), pair.new.iri, IRI, pair.old.iri)
        yield from _texts(pair.old, pair.new, name_of(pair.old))
    for concept in difference.added:
        term = name_of(concept)
        yield Decision("accept", term, relation=CLASS)
        yield from _texts(_bare(concept, term), concept, term)
    deprecated = {c.iri: c for c in edited.deprecated}
    for concept in difference.removed:
        yield _removed(concept, deprecated.get(concept.iri), edited, name_of)
    for concept in edited.concepts:
        if concept.iri in built.by_iri:
            yield from _texts(built.by_iri[concept.iri], concept, name_of(built.by_iri[concept.iri]))


def _bare(concept: Concept, term: str) -> Concept:
    """Return a class with only the label by which decisions name it."""
    zh = term if term == concept.label_zh else ""
    return Concept(concept.iri, zh, term if not zh and term == concept.label_en else None)


def _removed(concept: Concept, now: Concept | None, edited: Ontology, name_of: NameOf) -> Decision:
    """Return the decision about a class that is gone, or deprecated now."""
    instead = [] if now is None else [edited.by_iri[iri] for iri in now.replaced_by if iri in edited.by_iri]
    if len(instead) == 1:
        return Decision("merge", name_of(concept), name_of(instead[0]))
    if instead:
        return Decision("split", name_of(concept), PARTS.join(map(name_of, instead)))
    return Decision("reject", name_of(concept), "" if now is None else DEPRECATED, CLASS)


def _texts(old: Concept, new: Concept, term: str) -> Iterator[Decision]:
    """Yield the changes of labels, other names, definitions and cross-references."""
    for language, label, alt, definition in LABELS:
        before, after = getattr(old, label) or "", getattr(new, label) or ""
        tagged = {
            (t.role == "definition", t.text) for t in {*old.texts} ^ {*new.texts} if t.language and t.view == language
        }
        if (False, before) not in tagged and (False, after) not in tagged:
            yield from _label(term, language, before, after)
        gone = [t for t in getattr(old, alt) if t not in getattr(new, alt) and t != after]
        come = [t for t in getattr(new, alt) if _scope(new, language, t) != _scope(old, language, t)
                or t not in getattr(old, alt)]  # fmt: skip
        gone, come = ([t for t in names if (False, t) not in tagged] for names in (gone, come))
        yield from _names(term, SYNONYM, language, gone, ())
        for text in sorted(come):
            yield Decision("accept", term, text, _scope(new, language, text), language=language)
        said = getattr(old, definition)
        if said != getattr(new, definition) and {(True, said), (True, getattr(new, definition))}.isdisjoint(tagged):
            yield Decision("define", term, getattr(new, definition), old=said, language=language)
    old_texts, new_texts = ({t for t in c.texts if t.language} for c in (old, new))
    yield from _other_texts(term, old_texts, new_texts, lambda text: _scope(new, text.language, text.text))
    yield from _names(term, XREF, "", set(old.xrefs) - set(new.xrefs), set(new.xrefs) - set(old.xrefs))


def _scope(concept: Concept, language: str, text: str) -> str:
    """Return the relation of another name: a synonym, or one of another scope."""
    scopes = {(name.language, name.text): name.scope for name in concept.scopes}
    return next((r for r, scope in SCOPED.items() if scope == scopes.get((language, text))), SYNONYM)


def _label(term: str, language: str, before: str, after: str) -> Iterator[Decision]:
    if before == after:
        return
    if not after:
        yield Decision("reject", term, before, SYNONYM, language=language)
    elif before:
        yield Decision("rename", term, after, old=before, language=language)
    else:
        yield Decision("translate", term, after, language=language)


def _names(term: str, relation: str, language: str, gone: Iterable[str], come: Iterable[str]) -> Iterator[Decision]:
    for action, texts in (("reject", gone), ("accept", come)):
        for text in sorted(texts):
            yield Decision(action, term, text, relation, language=language)  # type: ignore[arg-type]


def _other_texts(
    term: str, old: set[OtherText], new: set[OtherText], scope_of: Callable[[OtherText], str]
) -> Iterator[Decision]:
    """Yield the changes of texts whose tag is neither zh nor en; those without a tag are among the names in English."""
    for text in sorted(old - new):
        replaced = any((t.role, t.language) == (text.role, text.language) for t in new - old)
        if text.role == "definition" and not replaced:
            yield Decision("define", term, "", old=text.text, language=text.language)
        elif text.role == "synonym" or not replaced:
            yield Decision("reject", term, text.text, SYNONYM, language=text.language)
    for text in sorted(new - old):
        if text.role == "synonym":
            yield Decision("accept", term, text.text, scope_of(text), language=text.language)
        else:
            action = "define" if text.role == "definition" else "translate"
            yield Decision(action, term, text.text, language=text.language)  # type: ignore[arg-type]


def _edges(built: Ontology, edited: Ontology, difference: Difference, name_of: NameOf) -> Iterator[Decision]:
    """Yield the accepted and rejected edges; one superclass for another is a move."""
    old_of = {pair.new.iri: pair.old for pair in difference.reidentified}
    concepts = {c.iri: c for c in (*edited.concepts, *built.concepts)} | old_of
    removed = [r for r in difference.relations_removed if {r.source, r.target} <= {*edited.by_iri}]
    added = list(difference.relations_added)
    for moved in difference.moved:
        lost = [r for r in removed if r.kind == "subclass_of" and r.source == moved.concept.iri]
        gained = [r for r in added if r.kind == "subclass_of" and r.source == moved.concept.iri]
        if len(lost) == len(gained) == 1:
            removed.remove(lost[0])
            added.remove(gained[0])
            names = [name_of(concepts[iri]) for iri in (moved.concept.iri, gained[0].target, lost[0].target)]
            yield Decision("move", names[0], names[1], old=names[2])
    for action, relations in (("reject", removed), ("accept", added)):
        for r in dict.fromkeys(replace(r, **_NO_FIGURES) for r in relations):  # type: ignore[arg-type]
            source, target = name_of(concepts[r.source]), name_of(concepts[r.target])
            yield Decision(action, source, target, r.kind)  # type: ignore[arg-type]


_NO_FIGURES = {"support": None, "confidence": None, "evidence": "", "documents": (), "sentence": ""}


def _header(difference: Difference) -> Iterator[Decision]:
    for change in difference.header:
        if change.field in HEADER_FIELDS:
            yield Decision("define", "", str(change.new or ""), change.field, old=str(change.old or ""))


def _unkept(difference: Difference) -> Iterator[str]:
    changed = [c for c in difference.relations_changed if _rounded(c.old) != _rounded(c.new)]
    count = len(changed)
    if changed:
        first = changed[0].new[0]
        one, other = (difference.labels.get(iri, iri) for iri in (first.source, first.target))
        yield Message("decisions.edit_evidence", edges=count, one=one, other=other)
    for change in difference.header:
        if change.field in ("iri", "kind", "topic", "root"):
            yield Message("decisions.edit_header", field=change.field, new=change.new)


def _rounded(relations: Iterable[Relation]) -> list[Relation]:
    """Return relations with the digits of a confidence that all programs save."""
    return [replace(r, confidence=r.confidence and float(f"{r.confidence:.6g}")) for r in relations]


def together(first: Sequence[Decision], second: Sequence[Decision]) -> tuple[tuple[Decision, ...], tuple[str, ...]]:
    """Join the changes of two files of one ontology.

    Args:
        first: the changes of one file, which prevail.
        second: those of the other.

    Returns:
        All changes, each once, and what the two say differently, one sentence each.

    >>> turtle = [Decision("translate", "洪水", "flood", language="en"), Decision("accept", "洪水", "灾害")]
    >>> xml = [Decision("translate", "洪水", "deluge", language="en")]
    >>> changes, conflicts = together(turtle, xml)
    >>> len(changes), conflicts
    (2, ("the label of 洪水: 'flood' or 'deluge'",))
    """
    known = {key: d for d in first for key in _keys(d)}
    removed = {d.term: d for d in (*first, *second) if d.relation == CLASS and d.action == "reject"}
    changes, conflicts = list(first), []
    for decision in second:
        others = [known[key] for key in _keys(decision) if key in known and known[key] != decision]
        if any(d == decision for d in first):
            continue
        edited = next((d for d in first if d.term == decision.term and decision in removed.values()), None)
        if edited or removed.get(decision.term, decision) in first:
            conflicts.append(f"{decision.term}: removed in one, edited in the other")
            continue
        if not others:
            changes.append(decision)
            continue
        mine = others[0]
        if mine.is_edge:
            conflicts.append(f"{decision.term}: {_said(mine)}, or {_said(decision)}")
        else:
            what = "definition" if mine.action == "define" else "label" if mine.value else "place"
            conflicts.append(f"the {what} of {mine.term}: {mine.value!r} or {decision.value!r}")
    return tuple(changes), tuple(conflicts)


def _said(d: Decision) -> str:
    return f"{d.action} {d.value}" + (f" instead of {d.old}" if d.old else "")


def _keys(decision: Decision) -> list[tuple[object, ...]]:
    """Return what a decision is about: two decisions about one thing contradict each other if they differ."""
    facts = Facts.of([decision], str)
    if decision.action == "move":  # two files that move one class to two places
        return [("place", decision.term)]
    return [(name, key) for name, values in vars(facts).items() for key in values]
