"""The registry of similarity measures, all behind one interface.

A measure takes a `Ground` (graph and information content) and some of its nodes, and returns their similarity to all
nodes. Its properties (range, symmetry, use of information content) are fields that tests and commands read. The
formulas, their sources and their edge cases are in paths.py, shared_information.py, features.py and five_factors.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from ontology.concept_graph import ConceptGraph, Ints
from ontology.errors import OntocrawlError
from ontology.similarity import features, paths, shared_information
from ontology.similarity.five_factors import Definitions, factor_arrays, weighted_sum
from ontology.similarity.information_content import InformationContent

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
    if of not in features.FEATURES:
        raise ValueError(f"features: expected one of {', '.join(features.FEATURES)}, found {of!r}")
    if not (0 <= alpha < np.inf and 0 <= beta < np.inf):
        raise ValueError(f"alpha, beta: expected two non-negative numbers, found {alpha}, {beta}")
    return Measure(
        name=name or f"tversky_{of}_{alpha:g}_{beta:g}",
        title=title or f"Tversky, {of}, alpha {alpha:g}, beta {beta:g}",
        source="Tversky 1977",
        formula=f"|A n B| / (|A n B| + {alpha:g} |A - B| + {beta:g} |B - A|)",
        interval="[0, 1]",
        rows=lambda ground, rows: features.ratio(features.FEATURES[of](ground.graph), rows, alpha, beta),
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
        lambda ground, rows: paths.path(ground.graph, rows),
    ),
    Measure(
        "leacock_chodorow", "Leacock and Chodorow", "Leacock and Chodorow 1998", "-ln(N / 2D)", "[0, ln 2D]",
        lambda ground, rows: paths.leacock_chodorow(ground.graph, rows),
        largest=lambda ground: paths.largest_leacock_chodorow(ground.graph),
    ),
    Measure(
        "leacock_chodorow_normalised", "Leacock and Chodorow, by its largest value", "Leacock and Chodorow 1998",
        "-ln(N / 2D) / ln 2D", "[0, 1]",
        lambda ground, rows: (
            paths.leacock_chodorow(ground.graph, rows) / paths.largest_leacock_chodorow(ground.graph)
        ),
    ),
    Measure(
        "wu_palmer", "Wu and Palmer", "Wu and Palmer 1994", "2 dep(lca) / (dep(c1) + dep(c2))", "[0, 1]",
        lambda ground, rows: paths.wu_palmer(ground.graph, rows),
    ),
    Measure(
        "resnik", "Resnik", "Resnik 1995", "IC(mica)", "[0, max IC]",
        lambda ground, rows: shared_information.resnik(ground.graph, ground.content, rows),
        largest=lambda ground: ground.content.largest, needs_content=True, one_for_itself=False,
    ),
    Measure(
        "resnik_normalised", "Resnik, by the largest content", "Resnik 1995", "IC(mica) / max IC", "[0, 1]",
        lambda ground, rows: _divided(
            shared_information.resnik(ground.graph, ground.content, rows), ground.content.largest
        ),
        needs_content=True, one_for_itself=False,
    ),
    Measure(
        "lin", "Lin", "Lin 1998", "2 IC(mica) / (IC(c1) + IC(c2))", "[0, 1]",
        lambda ground, rows: shared_information.lin(ground.graph, ground.content, rows), needs_content=True,
    ),
    Measure(
        "jiang_conrath", "Jiang and Conrath", "Jiang and Conrath 1997",
        "1 / (1 + IC(c1) + IC(c2) - 2 IC(mica))", "(0, 1]",
        lambda ground, rows: 1 / (1 + shared_information.jiang_conrath_distance(ground.graph, ground.content, rows)),
        needs_content=True,
    ),
    Measure(
        "jiang_conrath_normalised", "Jiang and Conrath, by the largest content", "Seco, Veale and Hayes 2004",
        "1 - (IC(c1) + IC(c2) - 2 IC(mica)) / (2 max IC)", "[0, 1]",
        lambda ground, rows: 1 - _divided(
            shared_information.jiang_conrath_distance(ground.graph, ground.content, rows), 2 * ground.content.largest
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
    close = get_close_matches(measure, MEASURES, n=1, cutoff=0.4)
    guess = f"; did you mean {close[0]!r}?" if close else "."
    raise UnknownMeasure(f"there is no measure {measure!r}{guess} Measures: {', '.join(MEASURES)}")
