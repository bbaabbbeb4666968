"""The similarities of an ontology's concepts by any measure: a pair, one against all, the full matrix, the nearest."""

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
    """An ontology prepared for comparing its n concepts. Made once, by ``of``; then any measure can be asked."""

    iris: tuple[str, ...]
    """The concepts, in the ontology's order: that of every row and matrix."""
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
            counts: by IRI; the information content then comes from this corpus, else from the hierarchy alone.
            cumulative, smoothing, total: what the counts mean; see `information_content.from_counts`.
            kinds: the relations that are edges to a parent, is-a and part-of by default.

        Raises:
            OntologyCycle: these edges have a cycle.
            CountError: counts that give no information content.
        """
        graph = ConceptGraph.of(ontology, kinds=kinds)
        if counts is None:
            content = intrinsic(graph)
        else:
            content = from_counts(graph, counts, smoothing=smoothing, cumulative=cumulative, total=total)
        return cls(tuple(concept.iri for concept in ontology.concepts), Ground(graph, content), ontology.iri)

    @property
    def _place(self) -> Ints:
        """(n,): the node of each concept; equivalent concepts have one node."""
        return np.array([self.ground.graph.node[iri] for iri in self.iris], dtype=np.int64)

    def _node(self, iri: str) -> int:
        if iri not in self.ground.graph.node:
            raise KeyError(f"ontology {self.ontology} has no concept {iri}")
        return self.ground.graph.node[iri]

    def pair(self, c1: str, c2: str, measure: str | Measure = "sem") -> float:
        """Similarity of two concepts, by IRI. KeyError for an IRI the ontology lacks, UnknownMeasure for a name."""
        end = self._node(c2)
        return float(find(measure).rows(self.ground, np.array([self._node(c1)]))[0, end])

    def factors(self, iri: str, definitions: Definitions = "default") -> tuple[Factors, ...]:
        """The five factors of Sem of one concept to all, in the order of ``iris``. KeyError for an unknown IRI."""
        values = factor_arrays(self.ground.graph, np.array([self._node(iri)]), None, definitions)
        columns = (v[0, self._place].tolist() for v in values)
        return tuple(Factors(*five) for five in zip(*columns, strict=True))

    def path(self, c1: str, c2: str) -> tuple[str, ...]:
        """IRIs of the best shortest path, that of IF_Rel; () where there is none. KeyError for an unknown IRI."""
        end = self._node(c2)
        found = self.ground.graph.best_paths(self._node(c1)).get(end, ())
        inner = (self.ground.graph.names[i] for i in found[1:-1])
        return tuple(dict.fromkeys((c1, *inner, c2))) if found else ()

    def row(self, iri: str, measure: str | Measure = "sem") -> Floats:
        """Similarity of one concept (as c1) to all, shape (n,). Errors as of ``pair``."""
        values: Floats = find(measure).rows(self.ground, np.array([self._node(iri)]))[0, self._place]
        return values

    def matrix(self, measure: str | Measure = "sem") -> Floats:
        """Similarity of all pairs, shape (n, n), c1 in rows. UnknownMeasure for a name."""
        k = len(self.ground.graph.names)
        values = find(measure).rows(self.ground, np.arange(k))
        place = self._place
        return values if np.array_equal(place, np.arange(k)) else values[np.ix_(place, place)]

    def nearest(self, iri: str, measure: str | Measure = "sem", *, n: int = 10) -> list[tuple[str, float]]:
        """The n other concepts that are most similar to one, with their similarity; equal ones by IRI."""
        others = [(other, float(v)) for other, v in zip(self.iris, self.row(iri, measure), strict=True) if other != iri]
        return sorted(others, key=lambda pair: (-pair[1], pair[0]))[:n]
