"""Topic weights of an ontology's concepts, computed in the graph by query: Sem(root, concept).

Source: paper 000, Eqs. (1) to (3); the five factors are the reconstruction of ontology/similarity/ (algorithms.md,
2.4), to which these values are equal on the same ontology. No similarity value is stored beforehand. IN_ONTOLOGY only
caches the shape of the hierarchy, refreshed by query before each use: the class of equivalent concepts (its smallest
IRI), the longest root path and the number of direct children.

The edges to broader classes are read once, for depths, children and ancestors; shortest paths from the root with their
best edges are found by one query a level (queries/weights). So paths are never enumerated, of which a DAG of n levels
has 2^n, and no bound on the depth is needed. is-a and part-of both count as edges to a parent; ties as in
ontology.similarity.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from graphlib import CycleError, TopologicalSorter
from hashlib import blake2b
from typing import Any

import queries
from kg.batches import batches
from kg.records import WeightedTerm
from kg.store import GraphStore, Row
from ontology.concept_graph import IS_A, PART_OF, OntologyCycle
from ontology.errors import OntocrawlError
from ontology.iris import equal_names
from ontology.model import WeightedWord
from ontology.reachable import reachable
from ontology.similarity import ALPHA, COEFFICIENTS, Factors

_FACTORS = ("distance", "density", "depth", "coincidence", "relation")


class NotLoadedError(OntocrawlError, LookupError):
    """The graph holds no such ontology."""


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The hierarchy of an ontology in the graph, equivalent concepts contracted to classes."""

    ontology: str
    series: str
    version: str
    root: str
    """IRI of the root concept."""
    labels: Mapping[str, Row]
    """IRI -> label_zh, label_en, alt_zh, alt_en in this ontology, and its IRI there (own)."""
    class_of: Mapping[str, str]
    """IRI -> smallest IRI among its equivalents."""
    members: Mapping[str, tuple[str, ...]]
    """Class -> IRIs of its concepts, ascending."""
    above: Mapping[str, Sequence[str]]
    """Class -> the classes directly above it, ascending."""
    depth: Mapping[str, int]
    """Class -> number of nodes on the longest path to a root, 1 for a root."""
    children: Mapping[str, int]
    """Class -> number of direct children."""


@dataclass(frozen=True, slots=True)
class _Reached:
    """The shortest paths from the root to a class."""

    distance: int
    weaker: int
    path: tuple[str, ...]


def topic_weights(
    store: GraphStore,
    ontology_iri: str,
    *,
    alpha: float = ALPHA["default"],
    coefficients: tuple[float, ...] = COEFFICIENTS,
) -> list[WeightedTerm]:
    """Compute Sem(root, concept) of every concept of an ontology in the graph; refreshes the cached shape first.

    Args:
        store: an open graph.
        ontology_iri: key of a loaded ontology.
        alpha: parameter of IF_Dis, above 0.
        coefficients: weights of distance, density, depth, coincidence and relation, non-negative, with sum 1.

    Returns:
        One weighted term per concept, sorted by weight in descending order, then by IRI; the root has 1.

    Raises:
        NotLoadedError: the graph has no such ontology.
        OntologyCycle: a concept is broader than itself.
        ValueError: alpha or the coefficients are out of range.
    """
    if len(coefficients) != len(_FACTORS) or min(coefficients) < 0 or abs(sum(coefficients) - 1) > 1e-9:
        raise ValueError(f"coefficients: expected five non-negative numbers that sum to 1, found {coefficients}")
    if not 0 < alpha < float("inf"):
        raise ValueError(f"alpha: expected a positive number, found {alpha}")
    shape = _refresh_depths(store, ontology_iri)
    reached = _shortest_paths(store, shape)
    ancestors = _ancestors(shape.above)
    rows = [
        {
            "class": name,
            "distance": reached[name].distance if name in reached else None,
            "weaker": reached[name].weaker if name in reached else 0,
            "ancestors": sorted(ancestors[name]),
        }
        for name in sorted(shape.members)
    ]
    root = shape.class_of[shape.root]
    factor_rows = store.read(
        queries.get("weights/factors").text,
        rows=rows,
        ontology=ontology_iri,
        root=root,
        above=sorted(ancestors[root]),
        widest=max(shape.children.values()),
        alpha=alpha,
        strong=max(IS_A, PART_OF),
        weak=min(IS_A, PART_OF),
        **{f"c_{name}": value for name, value in zip(_FACTORS, coefficients, strict=True)},
    )
    terms = [
        _term(shape, iri, row, reached.get(row["class"])) for row in factor_rows for iri in shape.members[row["class"]]
    ]
    return sorted(terms, key=lambda t: (-round(t.weight, 12), t.iri))


def _refresh_depths(store: GraphStore, ontology_iri: str) -> Hierarchy:
    """Recompute class, depth and children of an ontology's concepts by query and cache them on IN_ONTOLOGY.

    The depth is the number of nodes on the longest path to a root over is-a and part-of, over classes of equivalent
    concepts; 1 for a root. Only changes are written.

    Args:
        store: an open graph.
        ontology_iri: key of a loaded ontology.

    Raises:
        NotLoadedError: the graph has no such ontology.
        OntologyCycle: a concept is broader than itself.
    """
    root_rows = store.read(queries.get("weights/root").text, ontology=ontology_iri)
    members = store.read(queries.get("weights/members").text, ontology=ontology_iri)
    if not root_rows or not members:
        raise NotLoadedError("kg.graph_holds_no_ontology", ontology_iri=ontology_iri)
    class_of = _classes(store, ontology_iri, [row["iri"] for row in members])
    of_class: dict[str, list[str]] = defaultdict(list)
    for iri, name in sorted(class_of.items()):
        of_class[name].append(iri)
    stale = {row["iri"]: row for row in members}
    _keep(store, ontology_iri, {iri: {"class": name} for iri, name in class_of.items()}, stale)
    above = _classes_above(store, ontology_iri, of_class)
    children = Counter(name for names in above.values() for name in names)
    shape = Hierarchy(
        ontology=ontology_iri,
        series=root_rows[0]["series"],
        version=root_rows[0]["version"] or "",
        root=root_rows[0]["root"],
        labels=stale,
        class_of=class_of,
        members={name: tuple(iris) for name, iris in of_class.items()},
        above=above,
        depth=_depths(ontology_iri, above),
        children={name: children[name] for name in above},
    )
    cache = {i: {"depth": shape.depth[c], "children": shape.children[c]} for i, c in class_of.items()}
    _keep(store, ontology_iri, cache, stale)
    return shape


def _keep(store: GraphStore, ontology: str, cache: Mapping[str, Row], stale: Mapping[str, Row]) -> None:
    changed = [
        {"iri": iri, "props": props}
        for iri, props in sorted(cache.items())
        if any(stale[iri][key] != value for key, value in props.items())
    ]
    if changed:
        store.write(queries.get("weights/cache").text, changed, ontology=ontology)


def _classes(store: GraphStore, ontology: str, iris: Sequence[str]) -> dict[str, str]:
    """Return IRI -> smallest IRI of the concepts that are equivalent to it, directly or through others."""
    rows = store.read(queries.get("weights/equivalences").text, ontology=ontology)
    return equal_names(iris, ((row["one"], row["other"]) for row in rows))


def _classes_above(store: GraphStore, ontology: str, members: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the classes directly above each class, ascending; each edge is read once, by one query."""
    rows = [{"below": name, "member": iri, "class": name} for name in sorted(members) for iri in members[name]]
    above: dict[str, list[str]] = {name: [] for name in members}
    for row in store.read(queries.get("weights/broader").text, rows=rows, ontology=ontology):
        above[row["below"]].append(row["above"])
    return above


def _depths(ontology: str, above: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the depth of each class: one more than the largest of the classes above it, 1 without any."""
    depth: dict[str, int] = {}
    try:
        for name in TopologicalSorter(above).static_order():
            depth[name] = 1 + max((depth[one] for one in above[name]), default=0)
    except CycleError:
        raise OntologyCycle(ontology, _cycle(above)) from None
    return depth


def _cycle(above: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the cycle of broader classes that begins with the smallest IRI, first = last."""
    ancestors = _ancestors(above)
    start = next(name for name in sorted(above) if any(name in ancestors[one] for one in above[name]))
    way = [start]
    while way[-1] not in way[:-1]:
        way.append(next(one for one in above[way[-1]] if start in ancestors[one]))
    return tuple(way[way.index(way[-1]) :])


def _shortest_paths(store: GraphStore, shape: Hierarchy) -> dict[str, _Reached]:
    """Return the shortest paths from the root's class to all that are connected, breadth first, one query a level.

    Of several shortest paths the one with the fewest weaker edges counts, of those the one with the smallest IRIs.
    """
    step = queries.get("weights/step").text
    root = shape.class_of[shape.root]
    reached = {root: _Reached(0, 0, (root,))}
    level = [root]
    while level:
        rows = [
            {"member": iri, "class": name, "weaker": reached[name].weaker, "rank": rank}
            for rank, name in enumerate(sorted(level, key=lambda name: reached[name].path))
            for iri in shape.members[name]
        ]
        weaker = "PART_OF" if PART_OF <= IS_A else "SUBCLASS_OF"
        level = []
        for row in store.read(step, rows=rows, ontology=shape.ontology, weaker=weaker):
            if row["class"] not in reached:
                before = reached[row["before"]]
                level.append(row["class"])
                reached[row["class"]] = _Reached(before.distance + 1, row["weaker"], (*before.path, row["class"]))
    return reached


def _ancestors(above: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    """Return the classes above each class, itself included."""
    return {name: reachable(name, above.__getitem__) for name in above}


def _term(shape: Hierarchy, iri: str, row: Row, reached: _Reached | None) -> WeightedTerm:
    """Return the weighted term of one concept; contracted concepts on its path appear under their smallest IRI."""
    path: tuple[str, ...] = ()
    if reached is not None:
        inner = reached.path[1:-1]
        path = tuple(dict.fromkeys((shape.root, *inner, iri)))
    own = shape.labels[iri]["own"]
    return WeightedTerm(
        iri=own,
        word=_word(shape, iri),
        forms=forms(shape.labels[iri]),
        weight=row["weight"],
        factors=Factors(*(row[name] for name in _FACTORS)),
        path=tuple(_word(shape, on_path) for on_path in path),
        ontology=shape.ontology,
        series=shape.series,
        version=shape.version,
        class_=row["class"],
        sem=row["weight"],
        node="" if own == iri else iri,
    )


def _word(shape: Hierarchy, iri: str) -> str:
    labels = shape.labels[iri]
    return str(labels["label_zh"] or labels["label_en"] or iri)


def forms(labels: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return surface forms as (language, form) from the labels on IN_ONTOLOGY, by language, labels before synonyms.

    >>> forms({"label_zh": "暴雨", "label_en": "rainstorm", "alt_zh": ["大雨"], "alt_en": None})
    (('zh', '暴雨'), ('zh', '大雨'), ('en', 'rainstorm'))
    """
    zh = [labels["label_zh"], *(labels["alt_zh"] or ())]
    en = [labels["label_en"], *(labels["alt_en"] or ())]
    pairs = [("zh", form) for form in zh if form] + [("en", form) for form in en if form]
    return tuple(dict.fromkeys(pairs))


def save_weights(store: GraphStore, topic: str, weights: Sequence[WeightedTerm]) -> int:
    """Write (:Topic)-[:WEIGHTS]->(:Concept) for the ontologies of these weights, in place of older ones.

    Args:
        store: an open graph.
        topic: name of the topic.
        weights: weighted terms of one or several ontologies.

    Returns:
        The number of weights.

    Raises:
        ValueError: the topic has no name.
    """
    if not topic:
        raise ValueError("a topic needs a name, found an empty one")
    rows = [{"iri": t.node or t.iri, "ontology": t.ontology, "props": _weight_props(t)} for t in weights]
    with store.transaction() as transaction:
        transaction.write(queries.get("weights/topic").text, topic=topic)
        for ontology in sorted({t.ontology for t in weights}):
            transaction.write(queries.get("weights/forget_topic").text, topic=topic, ontology=ontology)
        transaction.write(queries.get("weights/save").text, rows, topic=topic)
    return len(rows)


def _weight_props(term: WeightedTerm) -> Row:
    names = ("weight", "scheme", "version", "sem", "key", "documents", "background")
    values = {name: getattr(term, name) for name in names} | asdict(term.factors)
    return {**values, "path": list(term.path), "sources": list(term.sources)}


# ---- the words that steer crawls on a topic


@dataclass(frozen=True, slots=True)
class WordRow(WeightedWord):
    """A word of a topic, (:Topic)-[:HAS_WORD]->(:Term).

    Attributes:
        shares: p, g and o, the shares in the topic's papers, in general language and in papers of other fields; None
            where they are not known.
        texts: number of the topic's papers with it.
        source: where the word comes from.
    """

    shares: tuple[float | None, float | None, float | None] = (None, None, None)
    texts: int = 0
    source: str = ""


def load_words(store: GraphStore, topic: str, words: Sequence[WordRow]) -> bool:
    """Write the words of a topic into the graph, as far as their files have changed since they were loaded.

    What was changed in the graph stays: the weight of a word until that of its files is another one, and a word that
    was added there.

    Args:
        store: an open graph.
        topic: name of the topic.
        words: its words, in the order of their file.

    Returns:
        Whether the graph was changed.
    """
    digest = blake2b(repr(words).encode(), digest_size=16).hexdigest()
    known = store.read(queries.get("weights/words_digest").text, topic=topic)
    if known and known[0]["words"] == digest:
        return False
    listed = {row["word"]: row["listed"] for row in store.read(queries.get("weights/words_listed").text, topic=topic)}
    rows = [
        {"text": one.word, "props": _word_props(number, one)}
        for number, one in enumerate(words)
        if listed.get(one.word) != one.weight
    ]
    present = {one.word for one in words}
    gone = [word for word, weight in listed.items() if weight is not None and word not in present]
    with store.transaction() as transaction:
        transaction.write(queries.get("weights/keep_words").text, topic=topic, digest=digest)
        for batch in batches(gone, _WORDS):
            transaction.write(queries.get("weights/forget_words").text, topic=topic, words=list(batch))
            transaction.write(queries.get("weights/forget_terms").text, words=list(batch))
        for batch in batches(rows, _WORDS):
            transaction.write(queries.get("weights/save_words").text, batch, topic=topic)
    return True


_WORDS = 1000
"""Words written by one statement."""


def _word_props(number: int, one: WordRow) -> Row:
    shares = {name: share for name, share in zip("pgo", one.shares, strict=True) if share is not None}
    said = {"weight": one.weight, "listed": one.weight, "position": number, "texts": one.texts, "source": one.source}
    return {**said, **shares, "zh": list(one.zh), "en": list(one.en)}


def words_of(store: GraphStore, topic: str) -> list[WordRow]:
    """Return the words of a topic with a weight above 0, by query; a word without forms is one itself."""
    rows = store.read(queries.get("weights/words").text, topic=topic)
    return [
        WordRow(row["word"], tuple(row["zh"] or ()), tuple(row["en"] or ()), row["weight"], (row["p"], None, row["o"]))
        for row in rows
    ]
