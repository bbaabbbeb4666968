"""The registry of similarity measures, all behind one interface.

A measure takes a `Ground` (graph and information content) and some of its nodes, and returns their similarity to all
nodes. Its properties (range, symmetry, use of information content) are fields that tests and commands read. The
formulas, their sources and their edge cases are in paths.py, shared_information.py, features.py and five_factors.py.

>>> from ontology.similarity.information_content import intrinsic
>>> graph = ConceptGraph.from_edges([("flood", "disaster"), ("flash flood", "flood"), ("drought", "disaster")])
>>> graph.names
('disaster', 'drought', 'flash flood', 'flood')
>>> flash_flood, content = np.array([2]), intrinsic(graph)
>>> _resnik(graph, content, flash_flood).tolist()
[[0.0, 0.0, 1.0, 0.5]]
>>> _lin(graph, content, flash_flood).round(3).tolist()
[[0.0, 0.0, 1.0, 0.667]]
>>> _jiang_conrath_distance(graph, content, flash_flood).tolist()
[[1.0, 2.0, 0.0, 0.5]]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontology.concept_graph import HIERARCHY, ConceptGraph, Ints
from ontology.errors import Message, OntocrawlError, closest
from ontology.model import Factors, Ontology, RelationKind
from ontology.similarity import five_factors
from ontology.similarity.five_factors import Definitions, factor_arrays, weighted_sum
from ontology.similarity.information_content import InformationContent, from_counts, intrinsic

# ---- similarity by shared information: Resnik, Lin, Jiang and Conrath
#
# With IC the information content (information_content.py) and IC(mica) the largest content of a common ancestor:
#
#     Resnik            IC(mica)                                  Resnik 1995, IJCAI
#     Lin               2 IC(mica) / (IC(c1) + IC(c2))            Lin 1998, ICML
#     Jiang, Conrath    dist = IC(c1) + IC(c2) - 2 IC(mica)       Jiang and Conrath 1997, ROCLING X; a distance
#
# Jiang and Conrath's distance becomes a similarity in two usual ways: 1 / (1 + dist), and, with contents divided by
# the largest one, 1 - dist / 2 (Seco, Veale and Hayes 2004). NLTK's 1 / dist is infinite for identical concepts.
#
# Concepts without a common ancestor share no information, as if under a virtual root: IC(mica) = 0. Lin's ratio is
# 0/0 if both contents are 0; it is then 1 if the two have a common ancestor, else 0. A concept has 1 to itself.


def _resnik(graph: ConceptGraph, content: InformationContent, rows: Ints) -> Floats:
    """Compute IC(mica) from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        content: the information content of its nodes.
        rows: indices of the nodes c1, shape (r,).

    Returns:
        Similarities, shape (r, k), in [0, largest IC].
    """
    return np.maximum(_mica(graph, content, rows), 0.0)


def _lin(graph: ConceptGraph, content: InformationContent, rows: Ints) -> Floats:
    """Compute 2 IC(mica) / (IC(c1) + IC(c2)) from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        content: the information content of its nodes.
        rows: indices of the nodes c1, shape (r,).

    Returns:
        Similarities, shape (r, k), in [0, 1].
    """
    mica = _mica(graph, content, rows)
    both = content.values[rows][:, None] + content.values[None, :]
    ratio: Floats = np.divide(2 * np.maximum(mica, 0.0), both, out=(mica >= 0).astype(np.float64), where=both > 0)
    return ratio


def _jiang_conrath_distance(graph: ConceptGraph, content: InformationContent, rows: Ints) -> Floats:
    """Compute IC(c1) + IC(c2) - 2 IC(mica) from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        content: the information content of its nodes.
        rows: indices of the nodes c1, shape (r,).

    Returns:
        Distances, shape (r, k), in [0, 2 largest IC].
    """
    both = content.values[rows][:, None] + content.values[None, :]
    return both - 2 * _resnik(graph, content, rows)


def _mica(graph: ConceptGraph, content: InformationContent, rows: Ints) -> Floats:
    """Return IC(mica), or -1 if there is no common ancestor."""
    return graph.best_common(content.values, rows, nothing=-1.0)


# ---- the registry of similarity measures, all behind one interface


Floats = NDArray[np.float64]


class UnknownMeasure(OntocrawlError, ValueError):  # noqa: N818 - named for what was asked for
    """A name that no measure has; the message lists the closest name and all names."""


@dataclass(frozen=True, eq=False)
class Ground:
    """The data that measures use: the concept graph on k nodes, and the information content of its nodes."""

    graph: ConceptGraph
    content: InformationContent


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of similarity. Larger values are more similar; 0 is the smallest value of every measure."""

    name: str
    title: str
    source: str
    formula: str
    interval: str
    """The range, as text."""
    rows: Callable[[Ground, Ints], Floats]
    """Similarity from some nodes to all, shape (rows, k)."""
    largest: Callable[[Ground], float] = lambda _: 1.0
    """The upper end of the range for an ontology."""
    symmetric: bool = True
    needs_content: bool = False
    """Whether the measure uses the information content, and so depends on the counts of a corpus."""
    one_for_itself: bool = True
    """Whether a concept's similarity to itself is the largest value; Resnik's is the concept's own content."""


def tversky(alpha: float, beta: float, of: str = "ancestors", *, name: str = "", title: str = "") -> Measure:
    """Make a measure of Tversky's ratio model.

    Args:
        alpha: weight of the features that only c1 has, at least 0.
        beta: weight of the features that only c2 has, at least 0.
        of: the features: "ancestors" or "cotopy" (ancestors and descendants).
        name: name of the measure; by default made from the arguments.
        title: title of the measure; by default made from the arguments.

    Returns:
        The measure, symmetric if alpha = beta.

    Raises:
        ValueError: unknown features, or a negative or infinite weight.

    >>> tversky(1, 0).name
    'tversky_ancestors_1_0'
    """
    if of not in five_factors.FEATURES:
        raise ValueError(f"features: expected one of {', '.join(five_factors.FEATURES)}, found {of!r}")
    if not (0 <= alpha < np.inf and 0 <= beta < np.inf):
        raise ValueError(f"alpha, beta: expected two non-negative numbers, found {alpha}, {beta}")
    return Measure(
        name=name or f"tversky_{of}_{alpha:g}_{beta:g}",
        title=title or f"Tversky, {of}, alpha {alpha:g}, beta {beta:g}",
        source="Tversky 1977",
        formula=f"|A n B| / (|A n B| + {alpha:g} |A - B| + {beta:g} |B - A|)",
        interval="[0, 1]",
        rows=lambda ground, rows: five_factors.ratio(five_factors.FEATURES[of](ground.graph), rows, alpha, beta),
        symmetric=alpha == beta,
    )


SEM: Mapping[str, Definitions] = {"sem": "default", "sem_cn_literature": "cn_literature"}
"""The measures that are weighted sums of the five factors -> how these are defined."""


def _sem(definitions: Definitions) -> Callable[[Ground, Ints], Floats]:
    return lambda ground, rows: weighted_sum(factor_arrays(ground.graph, rows, None, definitions))


def _divided(values: Floats, largest: float) -> Floats:
    """Divide contents by the largest one; all are 0 if that is 0."""
    return values / largest if largest > 0 else np.zeros_like(values)


_ALL = (
    Measure(
        "sem", "Sem, the five factors", "paper 000, Eq. (1); factors reconstructed",
        ".7 IF_Dis + .04 IF_Den + .11 IF_Dep + .03 IF_Coi + .12 IF_Rel", "[0, 1]", _sem("default"),
    ),
    Measure(
        "sem_cn_literature", "Sem, definitions of the Chinese literature",
        "paper 000, Eq. (1); Cui and Li 2013 and kin",
        ".7 IF_Dis + .04 IF_Den + .11 IF_Dep + .03 IF_Coi + .12 IF_Rel", "[0, 1]", _sem("cn_literature"),
    ),
    Measure(
        "path", "Shortest path", "Rada et al. 1989; Pedersen et al. 2004", "1 / N", "[0, 1]",
        lambda ground, rows: five_factors.path(ground.graph, rows),
    ),
    Measure(
        "leacock_chodorow", "Leacock and Chodorow", "Leacock and Chodorow 1998", "-ln(N / 2D)", "[0, ln 2D]",
        lambda ground, rows: five_factors.leacock_chodorow(ground.graph, rows),
        largest=lambda ground: five_factors.largest_leacock_chodorow(ground.graph),
    ),
    Measure(
        "leacock_chodorow_normalised", "Leacock and Chodorow, by its largest value", "Leacock and Chodorow 1998",
        "-ln(N / 2D) / ln 2D", "[0, 1]",
        lambda ground, rows: (
            five_factors.leacock_chodorow(ground.graph, rows) / five_factors.largest_leacock_chodorow(ground.graph)
        ),
    ),
    Measure(
        "wu_palmer", "Wu and Palmer", "Wu and Palmer 1994", "2 dep(lca) / (dep(c1) + dep(c2))", "[0, 1]",
        lambda ground, rows: five_factors.wu_palmer(ground.graph, rows),
    ),
    Measure(
        "resnik", "Resnik", "Resnik 1995", "IC(mica)", "[0, max IC]",
        lambda ground, rows: _resnik(ground.graph, ground.content, rows),
        largest=lambda ground: ground.content.largest, needs_content=True, one_for_itself=False,
    ),
    Measure(
        "resnik_normalised", "Resnik, by the largest content", "Resnik 1995", "IC(mica) / max IC", "[0, 1]",
        lambda ground, rows: _divided(
            _resnik(ground.graph, ground.content, rows), ground.content.largest
        ),
        needs_content=True, one_for_itself=False,
    ),
    Measure(
        "lin", "Lin", "Lin 1998", "2 IC(mica) / (IC(c1) + IC(c2))", "[0, 1]",
        lambda ground, rows: _lin(ground.graph, ground.content, rows), needs_content=True,
    ),
    Measure(
        "jiang_conrath", "Jiang and Conrath", "Jiang and Conrath 1997",
        "1 / (1 + IC(c1) + IC(c2) - 2 IC(mica))", "(0, 1]",
        lambda ground, rows: 1 / (1 + _jiang_conrath_distance(ground.graph, ground.content, rows)),
        needs_content=True,
    ),
    Measure(
        "jiang_conrath_normalised", "Jiang and Conrath, by the largest content", "Seco, Veale and Hayes 2004",
        "1 - (IC(c1) + IC(c2) - 2 IC(mica)) / (2 max IC)", "[0, 1]",
        lambda ground, rows: 1 - _divided(
            _jiang_conrath_distance(ground.graph, ground.content, rows), 2 * ground.content.largest
        ),
        needs_content=True,
    ),
    tversky(0.5, 0.5, "ancestors", name="tversky", title="Tversky on ancestors (Dice)"),
    tversky(0.5, 0.5, "cotopy", name="tversky_cotopy", title="Tversky on ancestors and descendants (Dice)"),
    tversky(0.8, 0.2, "ancestors", name="tversky_directed", title="Tversky on ancestors, directed"),
)  # fmt: skip
MEASURES: Mapping[str, Measure] = {measure.name: measure for measure in _ALL}
"""Measures by name: "sem" first, then by family."""


def find(measure: str | Measure) -> Measure:
    """Return a measure by its name; a `Measure` is returned unchanged. Raises UnknownMeasure.

    >>> find("lin").formula
    '2 IC(mica) / (IC(c1) + IC(c2))'
    >>> find("wu_palmr")
    Traceback (most recent call last):
        ...
    ontology.similarity.measures.UnknownMeasure: there is no measure 'wu_palmr'; did you mean 'wu_palmer'? Measures: ...
    """
    if isinstance(measure, Measure):
        return measure
    if measure in MEASURES:
        return MEASURES[measure]
    guess = closest(measure, MEASURES, Message("hints.stop"))
    raise UnknownMeasure("similarity.no_measure_measures", measure=measure, guess=guess, measures=", ".join(MEASURES))


# ---- similarities of an ontology's concepts by any measure: of a pair, one to all, all pairs, and the nearest
# concepts


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

    def factors(self, iri: str, definitions: Definitions = "default") -> tuple[Factors[float], ...]:
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
