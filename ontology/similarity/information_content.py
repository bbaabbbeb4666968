"""Information content of concepts: the rarer a concept, the larger its content; 0 for a concept of everything.

Two sources, both never smaller for a concept than for its ancestors:

* intrinsic, from the hierarchy alone (Seco, Veale and Hayes 2004, "An intrinsic information content metric for semantic
  similarity in WordNet", ECAI, 1089-1090): IC(c) = 1 - ln(hypo(c) + 1) / ln(k), in [0, 1], with hypo(c) the number of
  descendants and k that of all concepts; 1 for leaves.
* from a corpus (Resnik 1995, "Using information content to evaluate semantic similarity in a taxonomy", IJCAI):
  IC(c) = -ln(freq(c) / N), in [0, inf), with freq(c) the counts of c and of everything below it, each once.

Equivalent concepts are one node: their counts add up.

>>> graph = ConceptGraph.from_edges([("flood", "disaster"), ("flash flood", "flood"), ("drought", "disaster")])
>>> graph.names
('disaster', 'drought', 'flash flood', 'flood')
>>> intrinsic(graph).values.tolist()
[0.0, 1.0, 1.0, 0.5]
>>> from_counts(graph, {"flood": 2, "flash flood": 2, "drought": 4}, smoothing=0).values.round(3).tolist()
[0.0, 0.693, 1.386, 0.693]
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ontology.concept_graph import ConceptGraph
from ontology.errors import Message, OntocrawlError
from ontology.model import Ontology, Problem
from ontology.similarity.naming import Names

Floats = NDArray[np.float64]


class CountError(OntocrawlError, ValueError):
    """Counts that yield no information content; the message names the concept and what was expected."""


@dataclass(frozen=True, eq=False)
class InformationContent:
    """Information content of the nodes of a concept graph, shape (k,), never smaller than that of an ancestor."""

    kind: Literal["intrinsic", "corpus"]
    values: Floats

    @property
    def largest(self) -> float:
        """The largest content of a concept; 0 if all contents are 0."""
        return float(self.values.max())


def intrinsic(graph: ConceptGraph) -> InformationContent:
    """Compute Seco's content from the number of descendants, in [0, 1]. A single concept has 0."""
    k = len(graph.names)
    size = graph.anc.sum(axis=0, dtype=np.float64)  # hypo(c) + 1
    values = 1 - np.log(size) / np.log(k) if k > 1 else np.zeros(1)
    return InformationContent("intrinsic", _rising(graph, values))


def from_counts(
    graph: ConceptGraph,
    counts: Mapping[str, float],
    *,
    smoothing: float = 1.0,
    cumulative: bool = False,
    total: float | None = None,
) -> InformationContent:
    """Compute Resnik's content (natural logarithm) from counts by IRI. Concepts without a count have count 0.

    Args:
        graph: the concepts.
        counts: occurrences of the terms of each concept alone. With ``cumulative``, occurrences of the concept and all
            below it, such as the support of learned terms (documents that contain the term); these are not added up,
            but raised to the largest count below, which noise can make larger.
        smoothing: added to each count, so that no content is infinite.
        cumulative: whether a count includes all concepts below.
        total: N, the size of the corpus in the same unit. By default the sum of the counts, or the largest cumulative
            one; then a single root has content 0.

    Returns:
        The information content of all nodes.

    Raises:
        CountError: an IRI that is no concept; a count or smoothing that is negative or not finite; a frequency of 0
            without smoothing; a total smaller than a frequency.
    """
    if not 0 <= smoothing < np.inf:
        raise CountError("similarity.smoothing_expected_non_negative", smoothing=smoothing)
    direct = np.zeros(len(graph.names))
    for iri, count in counts.items():
        if iri not in graph.node:
            raise CountError("similarity.counts_not_concept_ontology", iri=iri)
        if not 0 <= count < np.inf:
            raise CountError("similarity.counts_expected_non_negative", iri=iri, count=count)
        c = graph.node[iri]
        direct[c] = max(direct[c], count) if cumulative else direct[c] + count
    freq = _frequencies(graph, direct + smoothing, cumulative)
    if not freq.min() > 0:
        name = graph.names[int(freq.argmin())]
        raise CountError("similarity.counts_all_below_count", name=name)
    n = total
    if n is None:
        n = float(max(freq.max(), 0.0 if cumulative else direct.sum() + smoothing * len(direct)))
    if not n * (1 + 1e-12) >= freq.max():
        raise CountError("similarity.total_expected_least_largest", freq=freq.max(), n=n)
    return InformationContent("corpus", _rising(graph, -np.log(np.minimum(freq / n, 1.0))))


def _frequencies(graph: ConceptGraph, direct: Floats, cumulative: bool) -> Floats:
    """Return freq(c): the sum over c and its descendants, each once; or the largest of them."""
    if not cumulative:
        return np.asarray(direct @ graph.anc, dtype=np.float64)
    freq = direct.copy()
    for c in reversed(graph.order):
        for p in graph.parents[c]:
            freq[p] = max(freq[p], freq[c])
    return freq


def _rising(graph: ConceptGraph, values: Floats) -> Floats:
    """Remove rounding errors that would make an ancestor's content exceed that of its descendants, and -0."""
    rising = np.maximum(values, 0.0) + 0.0
    for c in graph.order:
        for p in graph.parents[c]:
            rising[c] = max(rising[c], rising[p])
    return rising


# ---- counts of concepts from a file, for information content: how often a corpus has each of them
#
# Two formats, recognised by the content: lines ``name <tab> count``, where empty lines and lines that begin with # are
# skipped; or one JSON object ``{"name": count}``. A name is an IRI, a label or a synonym of a concept. Names that the
# ontology lacks, as a corpus has many, are listed with the reason.


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts by IRI, and the entries of the file that name no concept, or more than one."""

    by_iri: Mapping[str, float]
    skipped: tuple[Problem, ...]


def read_counts(path: str | Path, ontology: Ontology, *, cumulative: bool = False) -> Counts:
    """Read counts of an ontology's concepts from a file.

    Args:
        path: a tab-separated or JSON file.
        ontology: the ontology whose concepts are counted.
        cumulative: whether a count includes the concepts below. Counts under several names of one concept are added;
            of cumulative ones the largest is taken.

    Returns:
        The counts, and the entries that were skipped.

    Raises:
        CountError: an invalid count (with file and line), or none of the names is that of a concept.
    """
    path = Path(path)
    by_iri: dict[str, float] = {}
    skipped = []
    names = Names.of(ontology)
    for line, name, count in _entries(path):
        concepts = names.find(name)
        if len(concepts) != 1:
            code = "similarity.name_of_several" if concepts else "similarity.name_of_none"
            skipped.append(Problem(str(path), line, Message(code, name=name, concepts=len(concepts))))
            continue
        iri = concepts[0].iri
        by_iri[iri] = max(by_iri.get(iri, 0.0), count) if cumulative else by_iri.get(iri, 0.0) + count
    if not by_iri:
        raise CountError(
            "similarity.names_none_concept_expected", path=path, n_skipped=len(skipped), ontology_iri=ontology.iri
        )
    return Counts(by_iri, tuple(skipped))


def _entries(path: Path) -> Iterator[tuple[int, str, float]]:
    """Yield (line, name, count); line is 0 in a JSON object."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise CountError(
            "similarity.expected_utf_found_byte", path=path, object=error.object[error.start], start=error.start
        ) from error
    if text.lstrip().startswith("{"):
        try:
            values = json.loads(text)
        except json.JSONDecodeError as error:
            raise CountError("similarity.line_broken_json", path=path, lineno=error.lineno, msg=error.msg) from error
        for name, count in values.items():
            yield 0, name, _count(count, f"{path}: {name}")
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            name, tab, count = line.rpartition("\t")
            if not tab:
                raise CountError("similarity.line_expected_name_tab", path=path, number=number, line=line)
            yield number, name.strip(), _count(count, f"{path}, line {number}")


def _count(value: object, where: str) -> float:
    try:
        count = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except ValueError:
        count = math.nan
    if not 0 <= count < math.inf:
        raise CountError("similarity.expected_non_negative_number", where=where, value=value)
    return count
