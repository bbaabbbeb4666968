"""The concept lattices of a topic's ontology, with what a reader asks of them: concepts, names, implications."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ontocrawl.errors import UsageError
from ontocrawl.graph.tables import Cut, extent, first
from ontocrawl.topics.topics import Topic
from ontology import formats
from ontology.build import context_lattice
from ontology.claims_lattice import claims_context
from ontology.context import FormalContext
from ontology.lattice import Basis, Lattice, canonical_basis, lattice
from ontology.model import Ontology
from ontology.terms.wordforms import fold

Kind = Literal["papers", "names", "claims"]
"""Papers and their terms; names of classes and the words in them; classes and what they are claimed to be."""
_FILES: Mapping[Kind, str] = {"papers": "context.cxt", "names": "names.cxt"}
MOST = 200
"""Maximum number of names that a search finds, of names listed of a concept, of its neighbours, and of implications."""
MOST_ATTRIBUTES = 2_000
"""A context with more attributes has an iceberg of those that most objects have: the lattice would take minutes."""
_NAMES = 50
"""Attributes in which a neighbour differs, listed of it; the page writes twelve."""
LEAST = 2
"""Number of objects that an implication has at least, unless asked otherwise: one object shows no regularity."""


@dataclass(frozen=True)
class TopicLattice:
    """A lattice of a topic, and titles of its objects."""

    kind: Kind
    lattice: Lattice
    titles: Mapping[str, str]
    attributes: int
    """Number of attributes of the context; of a large one the lattice has only the most frequent (MOST_ATTRIBUTES)."""

    @property
    def cuts(self) -> list[Cut]:
        """What the lattice lacks of its context."""
        known = len(self.lattice.context.attributes)
        return [Cut("attributes", known, self.attributes)] if known < self.attributes else []

    def concept(self, at: int) -> dict[str, Any]:
        """Return a concept with its neighbours, each with the attributes that it has fewer or more, as JSON values.

        Raises:
            UsageError: there is no such concept.
        """
        lattice = self.lattice
        if not 0 <= at < len(lattice):
            raise UsageError("topics.lattice_concept", n_lattice=len(lattice) - 1, at=at)
        concept, context = lattice.concepts[at], lattice.context
        lists: dict[str, Sequence[Any]] = {
            "intent": context.attribute_names(concept.intent),
            "own": lattice.own_attributes.get(at, ()),
            "extent": context.object_names(concept.extent),
            "upper": [self._neighbour(i, concept.intent & ~lattice.concepts[i].intent) for i in lattice.upper(at)],
            "lower": [self._neighbour(i, lattice.concepts[i].intent & ~concept.intent) for i in lattice.lower(at)],
        }
        cuts = self.cuts
        for name, values in lists.items():
            lists[name], more = first(values, MOST, name)
            cuts += more
        return {
            "at": at, "support": concept.support, "of": len(context.objects),
            **{name: list(values) for name, values in lists.items()},
            "extent": [{"name": name, "title": self.titles.get(name, "")} for name in lists["extent"]],
            **extent(cuts),
        }  # fmt: skip

    def _neighbour(self, at: Any, attributes: int) -> dict[str, Any]:
        names = self.lattice.context.attribute_names(attributes)
        return {"at": int(at), "support": int(self.lattice.supports[at]), "attributes": list(names[:_NAMES])}

    def search(self, text: str) -> dict[str, Any]:
        """Return the attributes and objects with a text in their name or title, with their concept, and their number.

        Of an iceberg some are below its concepts; they are counted only.

        Args:
            text: what is searched for, in any case and script.
        """
        wanted, context = fold(text), self.lattice.context
        attributes = zip(context.attributes, self.lattice.attribute_concepts.tolist(), strict=True)
        objects = zip(context.objects, self.lattice.object_concepts.tolist(), strict=True)
        found = [*self._matching("attribute", attributes, wanted), *self._matching("object", objects, wanted)]
        shown = [one for one in found if one["at"] >= 0][:MOST]
        cuts = [Cut("found", len(shown), len(found))] if len(shown) < len(found) else []
        return {"found": shown, "number": len(found), **extent([*self.cuts, *cuts])}

    def _matching(self, kind: str, names: Iterable[tuple[str, int]], wanted: str) -> Iterable[dict[str, Any]]:
        for name, at in names:
            title = self.titles.get(name, "") if kind == "object" else ""
            if wanted in fold(name) or wanted in fold(title):
                yield {"kind": kind, "name": name, "title": title, "at": at}

    def implications(self, min_support: int = LEAST) -> dict[str, Any]:
        """Return the implications with most objects first, as JSON values.

        Args:
            min_support: smallest number of objects with the premise.

        Raises:
            ContextError: too many, or ``min_support`` is out of range.
        """
        rows = sorted(_basis(self.lattice.context, min_support).named(), key=lambda row: -row[2])
        shown = [{"premise": list(p), "conclusion": list(c), "support": s} for p, c, s in rows[:MOST]]
        _, cuts = first(rows, MOST, "implications")
        said = extent([*self.cuts, *cuts])
        return {"implications": shown, "number": len(rows), "min_support": min_support, **said}


def kinds(topic: Topic) -> list[Kind]:
    """Return the lattices that the global ontology of a topic has; an ontology that was not learned has its claims."""
    found = [kind for kind, file in _FILES.items() if any((folder / file).exists() for folder in _folders(topic))]
    if topic.levels and len(topic.levels[0].ontology.concepts) > 1:
        found.append("claims")
    return found


def lattice_of(topic: Topic, kind: Kind | None = None) -> TopicLattice:
    """Return a lattice of a topic's global ontology.

    Args:
        topic: the topic.
        kind: which one; None for the first that there is.

    Raises:
        UsageError: the topic has no such lattice.
        ContextError: the file of its context is invalid.
    """
    known = kinds(topic)
    if not known or kind not in (None, *known):
        raise UsageError("topics.lattice_none_of" if kind else "topics.lattice_none", topic=topic.name, kind=kind)
    kind = kind or known[0]
    if kind == "claims":
        return _of_claims(_Same(topic.levels[0].ontology))
    path = next(folder / _FILES[kind] for folder in _folders(topic) if (folder / _FILES[kind]).exists())
    titles: dict[str, str] = {}
    if kind == "papers" and topic.levels[0].papers is not None:
        titles = {d.id: d.title or d.title_en for d in topic.levels[0].papers.documents}
    context = formats.read(path)
    return TopicLattice(kind, _kept_lattice(context), titles, len(context.attributes))


class _Same:
    """An ontology as a key that is equal to itself alone, so that the classes of a large one are not compared."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.ontology is other.ontology

    def __hash__(self) -> int:
        return id(self.ontology)


@lru_cache(maxsize=4)
def _of_claims(same: _Same) -> TopicLattice:
    context = claims_context(same.ontology)
    return TopicLattice("claims", _lattice(context), {}, len(context.attributes))


def _folders(topic: Topic) -> list[Path]:
    sources = topic.levels[0].sources if topic.levels else ()
    return [source.folder for source in sources if source.folder is not None]


def _lattice(context: FormalContext) -> Lattice:
    """Return the lattice.

    The concepts of an iceberg have no attribute of less support, so that that of a large context needs no others.
    """
    if len(context.attributes) <= MOST_ATTRIBUTES:
        return context_lattice(context)
    supports = context.supports
    least = int(np.sort(supports)[-1 - MOST_ATTRIBUTES]) + 1
    kept = sum(1 << at for at in np.flatnonzero(supports >= least).tolist())
    return lattice(context.restricted(attribute_bits=kept), min_support=min(least, len(context.objects)))


_kept_lattice = lru_cache(maxsize=4)(_lattice)
"""The last few are kept, for questions about one after another of their concepts."""


@lru_cache(maxsize=4)
def _basis(context: FormalContext, min_support: int) -> Basis:
    return canonical_basis(context, min_support=min_support)
