"""Decisions applied to an ontology: whatever the rules made of the documents, the result is as the person decided.

A class that a person accepted, renamed, defined or placed is there even if no document has it any more; one that the
present documents do not yield is taken over from an earlier version of the ontology with its edges. An accepted edge is
there, and of the edges that would close a cycle with it the weakest that nobody decided goes. A rejected edge is not
there, and what is left without a broader class becomes a child of the root.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ontology.decisions.decision import Decision
from ontology.decisions.facts import Edge, Facts, Verdict
from ontology.decisions.texts import cross_referenced, defined, labelled, scoped, text_of, with_names_of, without_names
from ontology.errors import Message
from ontology.hierarchy.topic_ontology import TOPIC_ROOT
from ontology.joining import renamed
from ontology.model import Concept, Ontology, Relation, RelationKind
from ontology.reachable import reachable
from ontology.terms.wordforms import has_han

DEPRECATED = "deprecated"
"""Value of a rejected class that stays in files as a deprecated one."""
UP: tuple[RelationKind, ...] = ("subclass_of", "part_of")


@dataclass(frozen=True, slots=True)
class Remark:
    """A decision that did not apply, or that another statement contradicts, and why."""

    decision: Decision
    reason: str


@dataclass(frozen=True, slots=True)
class Cycle:
    """A decision whose edge would close a cycle, and the edge that went, or would have to go, for it.

    Attributes:
        decision: the decision.
        edge: the edge that nobody decided, which went; None if all are decided, and the decision does not apply.
    """

    decision: Decision
    edge: Relation | None


@dataclass(frozen=True)
class Applied:
    """An ontology with decisions applied.

    Attributes:
        ontology: the result.
        idle: the decisions that no longer apply, each with the reason.
        conflicts: the decisions that hold against what the documents say now, or that contradict each other.
        cycles: the decisions whose edges would close cycles.
    """

    ontology: Ontology
    idle: tuple[Remark, ...]
    conflicts: tuple[Remark, ...]
    cycles: tuple[Cycle, ...] = ()


def apply(
    ontology: Ontology,
    facts: Facts,
    *,
    local: str = "",
    earlier: Sequence[Ontology] = (),
    label_of: Callable[[str], str] = str,
) -> Applied:
    """Apply decisions to an ontology.

    Args:
        ontology: the ontology, as the rules made it.
        facts: what the decisions come to (`Facts.of`).
        local: name of the local ontology that this is, "" for the global one. Only the decisions about it add
            classes to it, and are reported.
        earlier: earlier versions, the latest first, from which classes are taken over that it lacks.
        label_of: returns the label under which an IRI was first known, for a class that no version has.

    Returns:
        The ontology, and what did not apply. Decisions that name a class that is not there, to reject it or an edge
        of it, do not apply.

    >>> from ontology.decisions.decision import Decision
    >>> disaster, flood = Concept("disaster", "灾害"), Concept("flood", "洪水")
    >>> edges = (Relation("flood", "subclass_of", "disaster"),)
    >>> learned = Ontology("o", "global", "t", "1", "disaster", (disaster, flood), edges)
    >>> facts = Facts.of([Decision("accept", "surge", "flood"), Decision("translate", "flood", "flood", language="en")],
    ...                  resolve=str)
    >>> result = apply(learned, facts).ontology
    >>> [(r.source, r.target) for r in result.relations], result.by_iri["flood"].label_en
    ([('flood', 'disaster'), ('surge', 'flood')], 'flood')
    """
    draft = _Draft(ontology, facts, local, earlier, label_of)
    draft.add_classes()
    draft.replace_classes()
    draft.drop_classes()
    draft.drop_edges()
    draft.add_edges()
    draft.root_orphans()
    draft.write_texts()
    idle, conflicts = (tuple(r for r in remarks if r.decision.ontology == local) for remarks in draft.remarks)
    return Applied(draft.result(), idle, conflicts, tuple(draft.cycles))


class _Draft:
    """An ontology while decisions are applied to it."""

    def __init__(
        self,
        ontology: Ontology,
        facts: Facts,
        local: str,
        earlier: Sequence[Ontology],
        label_of: Callable[[str], str],
    ) -> None:
        self.earlier = earlier
        self.label_of = label_of
        self.facts = facts
        self.local = local
        self.ontology = ontology
        self.root = ontology.root
        self.concepts = {c.iri: c for c in ontology.concepts}
        self.gone = {c.iri: c for c in ontology.deprecated}
        self.edges: dict[Edge, list[Relation]] = {}
        for r in ontology.relations:
            self.edges.setdefault((r.kind, r.source, r.target), []).append(r)
        self.bridges: dict[str, list[Relation]] = {}
        """IRI -> its edges over a removed class, for one that has no other."""
        self.over: dict[str, list[str]] = {}
        """IRI of a removed class -> what was above it."""
        self.idle: list[Remark] = []
        self.conflicts: list[Remark] = []
        self.cycles: list[Cycle] = []

    @property
    def remarks(self) -> tuple[list[Remark], list[Remark]]:
        """The decisions that did not apply, and those that something contradicts."""
        return self.idle, self.conflicts

    def above(self, iri: str) -> list[str]:
        """Return the direct superclasses."""
        return [target for kind, source, target in self.edges if kind == "subclass_of" and source == iri]

    def add_classes(self) -> None:
        """Add the classes that a person wants, and that the rules did not find; as an earlier version has them."""
        wanted = self.facts.wanted().items()
        missing = [iri for iri, d in wanted if iri not in self.concepts and d.ontology == self.local]
        for iri in missing:
            self.concepts[iri] = self._known(iri)
            self.gone.pop(iri, None)
        taken = {form for iri in missing for form in self.concepts[iri].forms()}
        self.concepts = {
            iri: c if iri in missing else without_names(c, taken) for iri, c in self.concepts.items()
        }  # fmt: skip
        for iri in missing:
            version = next((o for o in self.earlier if iri in o.by_iri), None)
            for relation in _taken_over(iri, version, self.concepts) if version else ():
                self.edges.setdefault(("subclass_of", iri, relation.target), [relation])

    def _known(self, iri: str) -> Concept:
        """Return a class as the latest version has it, or else by the label under which it was first known."""
        versions = (c for o in self.earlier for c in (*o.concepts, *o.deprecated) if c.iri == iri)
        return next(versions, _named(iri, self.label_of(iri)))

    def replace_classes(self) -> None:
        """Put other classes in the place of those that were merged or split."""
        for iri, verdict in self.facts.classes.items():
            instead = [o for o in dict.fromkeys(map(self._final, verdict.instead)) if o != iri and o in self.concepts]
            if not verdict.instead:
                continue
            if iri == self.root or not instead:
                self.idle.append(Remark(verdict.decision, self._why_idle(iri)))
                continue
            old = self.concepts.pop(iri, None) or self._known(iri)
            if verdict.decision.action == "merge":
                self.concepts[instead[0]] = with_names_of(self.concepts[instead[0]], old)
            self._redirect(iri, instead)
            self.gone[iri] = replace(old, replaced_by=tuple(instead))

    def _final(self, iri: str, *passed: str) -> str:
        """Return the class that stands for one in the end: the other may be merged, too."""
        verdict = self.facts.classes.get(iri)
        if iri in passed or verdict is None or len(verdict.instead) != 1:
            return iri
        return self._final(verdict.instead[0], iri, *passed)

    def _redirect(self, iri: str, instead: Sequence[str]) -> None:
        """Give the edges of a class to others: its broader classes to all of them, its narrower ones to the first."""
        for kind, source, target in [key for key in self.edges if iri in key[1:]]:
            relations = self.edges.pop((kind, source, target))
            sources = instead if source == iri else [source]
            target_now = instead[0] if target == iri else target
            for source_now in sources:
                if source_now != target_now and target_now not in self._below(source_now):
                    moved = [replace(r, source=source_now, target=target_now) for r in relations]
                    self.edges.setdefault((kind, source_now, target_now), moved)

    def _below(self, iri: str) -> set[str]:
        below: dict[str, list[str]] = {}
        for kind, source, target in self.edges:
            if kind in UP:
                below.setdefault(target, []).append(source)
        return reachable(iri, lambda c: below.get(c, ()))

    def _why_idle(self, iri: str) -> str:
        return Message("decisions.remark_root" if iri == self.root else "decisions.remark_none")

    def drop_classes(self) -> None:
        """Remove the classes that are none; what is left without a broader class is then below what was above them."""
        for iri, verdict in self.facts.classes.items():
            if verdict.holds or verdict.instead:
                continue
            if iri == self.root:
                self.idle.append(Remark(verdict.decision, self._why_idle(iri)))
                continue
            if verdict.decision.value == DEPRECATED:
                self.gone[iri] = self.concepts.get(iri) or self._known(iri)
            if iri not in self.concepts:
                continue
            self.over[iri] = self._over(iri)
            for low in [s for kind, s, target in self.edges if kind == "subclass_of" and target == iri]:
                evidence = f"over {self.concepts[iri].label} ({verdict.decision.id})"
                self.bridges.setdefault(low, []).extend(_subclass_edge(low, high, evidence) for high in self.over[iri])
            self.edges = {key: same for key, same in self.edges.items() if iri not in key[1:]}
            del self.concepts[iri]

    def _over(self, iri: str) -> list[str]:
        """Return what is above a class, also over classes that were removed before."""
        return self.above(iri) or [bridge.target for bridge in self.bridges.get(iri, ())]

    def drop_edges(self) -> None:
        """Remove the rejected edges."""
        for key, verdict in self.facts.edges.items():
            if verdict.holds:
                continue
            self.edges.pop(key, None)

    def _is_none(self, iri: str) -> bool:
        """Return whether a person said that it is no class; what was said of it before is settled with that."""
        return iri in self.facts.classes and not self.facts.classes[iri].holds

    def add_edges(self) -> None:
        """Add the accepted edges; an automatic edge to the root goes where there is another."""
        for (kind, term, value), verdict in self.facts.edges.items():
            source, target = self._final(term), self._final(value)
            key: Edge = (kind, source, target)
            if verdict.holds and kind == "subclass_of" and self._is_none(target):
                self._place_over(source, target, verdict.decision)
            if not verdict.holds or not {source, target} <= self.concepts.keys() or source == target != value:
                continue
            mark = f"{_BY_DECISION} {verdict.decision.id}".strip()
            if key in self.edges:
                self.edges[key] = [replace(r, evidence=_with_mark(r.evidence, mark)) for r in self.edges[key]]
                continue
            reason = (
                Message("decisions.remark_root")
                if kind == "subclass_of" and source == self.root
                else self._opened(key, verdict.decision)
            )
            if reason:
                self.conflicts.append(Remark(verdict.decision, reason))
                continue
            self.edges[key] = [Relation(source, kind, target, evidence=mark)]
            self._drop_automatic(source)

    def _place_over(self, source: str, target: str, decision: Decision) -> None:
        """Note that the broader class of an accepted edge is none; what it was decided for is then below the next."""
        verdict = self.facts.classes[target]
        about = {"label": decision.value, "decision": verdict.decision.id or "–"}
        self.idle.append(Remark(decision, Message("decisions.remark_broader", **about)))
        if source in self.concepts:
            evidence = f"over {decision.value} ({verdict.decision.id})"
            self.bridges.setdefault(source, []).extend(
                _subclass_edge(source, high, evidence) for high in self.over.get(target, ())
            )

    def _opened(self, key: Edge, decision: Decision) -> str:
        """Remove undecided edges until an edge closes no cycle; return why it cannot be added, if it cannot."""
        kind, source, target = key
        if source == target:
            return "both ends are one class"
        while kind in UP and (path := self._path(target, source)):
            undecided = [step for step in path if step not in self.facts.edges]
            if not undecided:
                self.cycles.append(Cycle(decision, None))
                return "it would close a cycle with other decisions"
            weakest = min(undecided, key=self._strength)
            self.cycles.append(Cycle(decision, self.edges.pop(weakest)[0]))
        return ""

    def _path(self, start: str, end: str) -> list[Edge]:
        """Return the edges of a way up from one class to another; empty if there is none."""
        outgoing: dict[str, list[Edge]] = {}
        for edge in self.edges:
            if edge[0] in UP:
                outgoing.setdefault(edge[1], []).append(edge)
        came: dict[str, Edge] = {}
        waiting = [start]
        while waiting and end not in came:
            for edge in outgoing.get(waiting.pop(0), ()):
                if edge[2] not in came and edge[2] != start:
                    came[edge[2]] = edge
                    waiting.append(edge[2])
        path: list[Edge] = []
        while end in came:
            path.append(came[end])
            end = came[end][1]
        return path

    def _strength(self, key: Edge) -> tuple[bool, int, float]:
        """Return how strong the evidence of an edge is: that to the root is the weakest, then by documents."""
        relations = self.edges[key]
        placed = not any(TOPIC_ROOT in r.evidence for r in relations)
        return placed, max(r.support or 0 for r in relations), max(r.confidence or 0.0 for r in relations)

    def _drop_automatic(self, source: str) -> None:
        key: Edge = ("subclass_of", source, self.root)
        automatic = all(TOPIC_ROOT in r.evidence for r in self.edges.get(key, ()))
        if automatic and key not in self.facts.edges and len(self.above(source)) > 1:
            self.edges.pop(key, None)

    def root_orphans(self) -> None:
        """Put classes without a broader one under the root, unless a person took them out of there."""
        for iri in self.concepts:
            key: Edge = ("subclass_of", iri, self.root)
            if iri == self.root or self.above(iri):
                continue
            bridges: dict[Edge, list[Relation]] = {
                ("subclass_of", iri, b.target): [b] for b in self.bridges.get(iri, ())
            }
            self.edges |= {k: b for k, b in bridges.items() if k not in self.facts.edges and k[2] in self.concepts}
            if not self.above(iri):
                if key in self.facts.edges:
                    self.conflicts.append(Remark(self.facts.edges[key].decision, Message("decisions.remark_nothing")))
                else:
                    self.edges[key] = [_subclass_edge(iri, self.root, TOPIC_ROOT)]

    def write_texts(self) -> None:
        """Write labels, other names, definitions and cross-references."""
        facts = self.facts
        for (iri, tag), verdict in facts.labels.items():
            self._edit(iri, verdict, partial(labelled, language=tag, text=verdict.text))
        for (iri, tag, text), verdict in facts.names.items():
            self._edit(iri, verdict, partial(scoped, language=tag, text=text, verdict=verdict))
        for (iri, tag), verdict in facts.definitions.items():
            self._edit(iri, verdict, partial(defined, language=tag, text=verdict.text))
        for (iri, text), verdict in facts.xrefs.items():
            self._edit(iri, verdict, partial(cross_referenced, text=text, holds=verdict.holds))

    def _edit(self, iri: str, verdict: Verdict, change: Callable[[Concept], Concept]) -> None:
        concept = self.concepts.get(iri)
        if concept is None:
            if not self._is_none(iri):
                self.idle.append(Remark(verdict.decision, self._why_idle(iri)))
            return
        said = text_of(concept, verdict.decision)
        if verdict.decision.old and said not in ("", verdict.decision.old, verdict.text):
            self.conflicts.append(Remark(verdict.decision, Message("decisions.remark_said", said=repr(said))))
        self.concepts[iri] = change(concept)

    def result(self) -> Ontology:
        """Return the ontology."""
        header = {name: verdict.text for name, verdict in self.facts.header.items() if not self.local}
        order = {iri: n for n, iri in enumerate(self.concepts)}
        edges = sorted(self.edges.items(), key=lambda item: order.get(item[0][1], 0))
        ontology = replace(
            self.ontology,
            concepts=tuple(self.concepts.values()),
            relations=tuple(r for _, same in edges for r in same),
            deprecated=tuple(self.gone.values()),
            **header,  # type: ignore[arg-type]  # its fields are texts
        )
        return renamed(ontology, {iri: verdict.text for iri, verdict in self.facts.iris.items()})


# ---- the classes and edges that decisions add to an ontology, with their evidence


_BY_DECISION = "decision"
"""Evidence of an accepted edge, before the id of the decision."""
_OF_VERSION = "version "
"""Evidence of an edge that was taken over from an earlier version, before the version."""


def _named(iri: str, label: str) -> Concept:
    """Return a class by the label under which it was first known; it has none if that is its IRI."""
    if label == iri or not label:
        return Concept(iri, "")
    return Concept(iri, label) if has_han(label) else Concept(iri, "", label)


def _subclass_edge(source: str, target: str, evidence: str) -> Relation:
    """Return a subclass-of edge.

    Args:
        source: IRI of the narrower class.
        target: IRI of the broader class.
        evidence: where it comes from.
    """
    return Relation(source, "subclass_of", target, evidence=evidence)


def _taken_over(iri: str, version: Ontology, live: Collection[str]) -> Iterator[Relation]:
    """Yield the edges of a class of an earlier version to the nearest classes that are still there.

    An edge that only a decision made is not taken over: the decision makes it again while it is in force.

    Args:
        iri: the class.
        version: the earlier version.
        live: the classes that are still there.

    Yields:
        The edges; their evidence names the version in which rules found them.
    """
    found = {r.target: r.evidence for r in version.edges("subclass_of") if r.source == iri}
    seen, waiting = {iri}, list(version.parents[iri])
    while waiting:
        high = waiting.pop(0)
        known = found.get(high, "")
        if _is_decided(known):
            continue
        if high in live:
            yield _subclass_edge(
                iri, high, known if known.startswith(_OF_VERSION) else f"{_OF_VERSION}{version.version}"
            )
        elif high not in seen:
            seen.add(high)
            waiting += version.parents[high]


def _is_decided(evidence: str) -> bool:
    """Return whether an edge is there by decisions alone.

    >>> _is_decided("decision d1"), _is_decided("head noun; decision d1"), _is_decided("")
    (True, False, False)
    """
    return bool(evidence) and all(part.startswith(f"{_BY_DECISION} ") for part in evidence.split("; "))


def _with_mark(evidence: str, mark: str) -> str:
    """Return the evidence of an edge with a further part.

    Args:
        evidence: the evidence so far.
        mark: the part; it is added once.
    """
    return evidence if mark in evidence.split("; ") else "; ".join(filter(None, (evidence, mark)))
