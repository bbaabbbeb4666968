"""The terms whose order is to be settled: those named, or the most frequent ones of a part of the hierarchy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from ontocrawl.errors import UsageError, nearest
from ontocrawl.topics import papers
from ontocrawl.topics.topics import Topic
from ontology import owl
from ontology.files import Stamp, stamp
from ontology.model import Concept, Ontology
from ontology.reachable import reachable

MOST = 40
"""Largest number of terms: each has a question that names all others."""


@dataclass(frozen=True)
class Learned:
    """The ontology of an output folder of `ontology build`, and the papers that it was learned from."""

    ontology: Ontology
    documents: Mapping[str, int]
    """Label -> number of papers that contain the term."""
    titles: Mapping[str, str]
    """Id of a paper -> its title."""

    @cached_property
    def by_name(self) -> Mapping[str, Concept]:
        """Class by IRI, label or other name; a label takes precedence over another name of a different class."""
        concepts = self.ontology.concepts
        names = {form: c for c in reversed(concepts) for _, form in reversed(c.forms())}
        return names | {c.label: c for c in reversed(concepts)} | {c.iri: c for c in concepts}

    def above(self, iri: str) -> set[str]:
        """Return the IRIs of the classes above a class, itself excluded."""
        return reachable(iri, self.ontology.parents.__getitem__) - {iri}

    def has_by_way(self, narrow: str, broad: str, chosen: Iterable[str]) -> bool:
        """Return whether a class is above another by way of classes that are not chosen, and not directly.

        Args:
            narrow: name of a class.
            broad: name of a class.
            chosen: names of the chosen classes.
        """
        if narrow not in self.by_name or broad not in self.by_name:
            return False
        low, high = self.by_name[narrow].iri, self.by_name[broad].iri
        others = {self.by_name[name].iri for name in chosen if name in self.by_name} - {high}
        way = reachable(low, lambda iri: (up for up in self.ontology.parents[iri] if up not in others))
        return high in way and high not in self.ontology.parents[low]

    def below(self, iri: str) -> set[str]:
        """Return the IRIs of the classes below a class, itself included."""
        return reachable(iri, self.ontology.children.__getitem__)


def load(folder: Path) -> Learned:
    """Load the global ontology of an output folder of `ontology build`.

    Args:
        folder: the folder.

    Returns:
        The ontology and its papers.

    Raises:
        UsageError: the folder is missing, or not such a folder.
        OwlError, PapersError: a file that cannot be read.
    """
    found = sorted(folder.glob("*.papers.jsonl"))
    if len(found) != 1:
        raise UsageError("settling.settle_folder", folder=folder)
    file = folder / f"{found[0].name.removesuffix('.papers.jsonl')}.ttl"
    return _loaded(file, found[0], stamp(file), stamp(found[0]))


@lru_cache(maxsize=2)
def _loaded(file: Path, beside: Path, *stamps: Stamp | None) -> Learned:
    """Return the ontology and its papers; the last ones are kept, for one answer after another in the explorer."""
    ontology, known = owl.load(file).ontology, papers.read(beside)
    documents = Counter(term for terms in known.terms.values() for term in terms)
    return Learned(ontology, documents, {d.id: d.title for d in known.documents})


def folder_of(topic: Topic) -> Path | None:
    """Return the folder of a topic whose terms can be settled: that of its first learned global ontology.

    Args:
        topic: the topic.

    Returns:
        The output folder of `ontology build`; None where no ontology of the topic was learned, or its papers are lost.
    """
    papers_beside = ((path, path.with_name(f"{path.stem}.papers.jsonl")) for path, _ in topic.ontology_files())
    return next((path.parent for path, beside in papers_beside if beside.exists()), None)


def named(learned: Learned, names: Iterable[str]) -> tuple[Concept, ...]:
    """Return the classes of some names.

    Args:
        learned: the ontology.
        names: labels, other names or IRIs.

    Returns:
        Two classes or more, each once, in the order of `_narrower_first`.

    Raises:
        UsageError: an unknown name, the root, fewer than two classes, or more than `MOST`.
    """
    chosen: dict[str, Concept] = {}
    for name in names:
        concept = learned.by_name.get(name)
        if concept is None:
            raise UsageError(
                "settling.settle_class",
                name=name,
                ontology_iri=learned.ontology.iri,
                nearest=nearest(name, _labels(learned)),
            )
        if concept.iri == learned.ontology.root:
            raise UsageError("settling.settle_topic", name=name)
        chosen[concept.iri] = concept
    if not 2 <= len(chosen) <= MOST:
        raise UsageError("settling.settle_terms", most=MOST, n_chosen=len(chosen))
    return _narrower_first(learned, tuple(chosen.values()))


def _labels(learned: Learned) -> list[str]:
    return [c.label for c in learned.ontology.concepts]


def most_uncertain(learned: Learned, count: int) -> tuple[Concept, ...]:
    """Choose terms: those in most papers below the lowest class that has so many terms.

    Terms of one class are alike, so that their order is what evidence settles least; terms of different areas are
    seldom kinds of each other. Of several classes at one depth, that with the most papers of its terms is taken.

    Args:
        learned: the ontology.
        count: number of terms, at least 2; more than the papers have are reduced to these.

    Returns:
        The classes, in the order of `_narrower_first`.

    Raises:
        UsageError: fewer than two classes are terms of the papers, or ``count`` is more than `MOST`.
    """
    ontology = learned.ontology
    terms = [c for c in ontology.concepts if c.iri != ontology.root and learned.documents.get(c.label)]
    count = min(count, len(terms))
    within = {c.iri for c in terms}
    best: tuple[tuple[int, int, str], list[Concept]] | None = None
    for concept in ontology.concepts:
        group = [ontology.by_iri[iri] for iri in learned.below(concept.iri) & within]
        if len(group) >= count:
            top = sorted(group, key=lambda c: (-learned.documents[c.label], c.iri))[:count]
            rank = (len(learned.above(concept.iri)), sum(learned.documents[c.label] for c in top), concept.iri)
            best = max(best, (rank, top), key=lambda b: b[0]) if best else (rank, top)
    return named(learned, [c.iri for c in best[1]] if best else [])


def _narrower_first(learned: Learned, concepts: Sequence[Concept]) -> tuple[Concept, ...]:
    """Sort classes: those with more classes above them first, then those in more papers.

    What a narrower class is not, the classes above it are not either: asked first, it leaves them shorter questions.
    """
    return tuple(
        sorted(concepts, key=lambda c: (-len(learned.above(c.iri)), -learned.documents.get(c.label, 0), c.label))
    )
