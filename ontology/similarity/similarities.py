"""Similarities of an ontology's concepts by any measure: of a pair, one to all, all pairs, and the nearest concepts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontology.concept_graph import HIERARCHY, ConceptGraph, Ints
from ontology.model import Ontology, RelationKind
from ontology.similarity.five_factors import Definitions, Factors, factor_arrays
from ontology.similarity.information_content import from_counts, intrinsic
from ontology.similarity.measures import Ground, Measure, find

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Similarities:
    """An ontology prepared for comparing its n concepts; made once by ``of``, then used with any measure.

    >>> from ontology.model import Concept, Relation
    >>> iris = ("disaster", "flood", "flash flood", "drought")
    >>> edges = (("flood", "disaster"), ("flash flood", "flood"), ("drought", "disaster"))
    >>> similarities = Similarities.of(
    ...     Ontology("o", "global", "disasters", "1", "disaster", tuple(Concept(i, i) for i in iris),
    ...              tuple(Relation(c, "subclass_of", p) for c, p in edges)))
    >>> similarities.pair("flood", "flash flood", "path")
    0.5
    >>> similarities.row("flood", "wu_palmer").round(3).tolist()
    [0.667, 1.0, 0.8, 0.5]
    >>> similarities.nearest("flood", "wu_palmer", n=1)
    [('flash flood', 0.8)]
    >>> similarities.matrix("lin").shape
    (4, 4)
    >>> similarities.path("flash flood", "drought")
    ('flash flood', 'flood', 'disaster', 'drought')
    """

    iris: tuple[str, ...]
    """IRIs of the concepts in the ontology's order, which is the order of every row and matrix."""
    ground: Ground
    ontology: str
    """IRI of the ontology, for messages."""

    @classmethod
    def of(
        cls,
        ontology: Ontology,
        *,
        counts: Mapping[str, float] | None = None,
        cumulative: bool = False,
        smoothing: float = 1.0,
        total: float | None = None,
        kinds: Sequence[RelationKind] = HIERARCHY,
    ) -> Similarities:
        """Prepare an ontology.

        Args:
            ontology: the ontology.
            counts: occurrences by IRI, for information content from a corpus; None for content from the hierarchy
                alone.
            cumulative: whether a count includes the concepts below; see `information_content.from_counts`.
            smoothing: added to each count.
            total: size of the corpus; by default from the counts.
            kinds: the relations that are edges to a parent, is-a and part-of by default.

        Returns:
            The prepared ontology.

        Raises:
            OntologyCycle: these edges have a cycle.
            CountError: the counts yield no information content.
        """
        graph = ConceptGraph.of(ontology, kinds=kinds)
        if counts is None:
            content = intrinsic(graph)
        else:
            content = from_counts(graph, counts, smoothing=smoothing, cumulative=cumulative, total=total)
        return cls(tuple(concept.iri for concept in ontology.concepts), Ground(graph, content), ontology.iri)

    @property
    def _place(self) -> Ints:
        """Node of each concept, shape (n,); equivalent concepts share a node."""
        return np.array([self.ground.graph.node[iri] for iri in self.iris], dtype=np.int64)

    def _node(self, iri: str) -> int:
        if iri not in self.ground.graph.node:
            raise KeyError(f"ontology {self.ontology} has no concept {iri}")
        return self.ground.graph.node[iri]

    def pair(self, c1: str, c2: str, measure: str | Measure = "sem") -> float:
        """Compute the similarity of two concepts.

        Args:
            c1: IRI of the first concept.
            c2: IRI of the second concept.
            measure: a measure, or its name.

        Returns:
            The similarity.

        Raises:
            KeyError: the ontology has no concept with this IRI.
            UnknownMeasure: no measure has this name.
        """
        end = self._node(c2)
        return float(find(measure).rows(self.ground, np.array([self._node(c1)]))[0, end])

    def factors(self, iri: str, definitions: Definitions = "default") -> tuple[Factors, ...]:
        """Compute the five factors of Sem of one concept to all.

        Args:
            iri: IRI of the concept.
            definitions: "default" or "cn_literature".

        Returns:
            The factors in the order of ``iris``.

        Raises:
            KeyError: the ontology has no concept with this IRI.
        """
        values = factor_arrays(self.ground.graph, np.array([self._node(iri)]), None, definitions)
        columns = (v[0, self._place].tolist() for v in values)
        return tuple(Factors(*five) for five in zip(*columns, strict=True))

    def path(self, c1: str, c2: str) -> tuple[str, ...]:
        """Find the best shortest path between two concepts, the one that IF_Rel uses.

        Args:
            c1: IRI of the first concept.
            c2: IRI of the second concept.

        Returns:
            IRIs of the path, both ends included; () if there is none.

        Raises:
            KeyError: the ontology has no concept with this IRI.
        """
        end = self._node(c2)
        path = self.ground.graph.best_paths(self._node(c1)).get(end, ())
        inner = (self.ground.graph.names[i] for i in path[1:-1])
        return tuple(dict.fromkeys((c1, *inner, c2))) if path else ()

    def row(self, iri: str, measure: str | Measure = "sem") -> Floats:
        """Compute the similarity of one concept (as c1) to all.

        Args:
            iri: IRI of the concept.
            measure: a measure, or its name.

        Returns:
            Similarities, shape (n,).

        Raises:
            KeyError: the ontology has no concept with this IRI.
            UnknownMeasure: no measure has this name.
        """
        values: Floats = find(measure).rows(self.ground, np.array([self._node(iri)]))[0, self._place]
        return values

    def matrix(self, measure: str | Measure = "sem") -> Floats:
        """Compute the similarity of all pairs, shape (n, n), c1 in rows. Raises UnknownMeasure."""
        k = len(self.ground.graph.names)
        values = find(measure).rows(self.ground, np.arange(k))
        place = self._place
        return values if np.array_equal(place, np.arange(k)) else values[np.ix_(place, place)]

    def nearest(self, iri: str, measure: str | Measure = "sem", *, n: int = 10) -> list[tuple[str, float]]:
        """Find the concepts that are most similar to one.

        Args:
            iri: IRI of the concept.
            measure: a measure, or its name.
            n: number of concepts.

        Returns:
            (IRI, similarity) of other concepts by falling similarity, then IRI.

        Raises:
            KeyError: the ontology has no concept with this IRI.
            UnknownMeasure: no measure has this name.
        """
        others = [(other, float(v)) for other, v in zip(self.iris, self.row(iri, measure), strict=True) if other != iri]
        return sorted(others, key=lambda pair: (-pair[1], pair[0]))[:n]
