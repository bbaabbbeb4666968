"""Feature columns of links: what is known of a page before it is fetched (paper 000, section 4.3).

    anchor:V        R(A_l) under vocabulary V of the link's anchors, pooled over all pages that contain it, Eq. (10)
    context:V       the same of the texts around the anchors
    parents:V       mean R(P_i) over the m fetched pages that contain the link; parents_sum:V their sum (trap T2)
    target:V        R(P_l) of the page that the link points to, Eq. (11): looked up or predicted (trap T4)
    pagerank        PR(P_l) / max PR by the repaired Eq. (8) under TK, over fetched pages and links (traps T1, T2, T3)
    pagerank_raw    PR(P_l)
    pagerank_plain  PR(P_l) by Eq. (7), without bias, which is Eq. (6) of paper 002
    pagerank_crawled  the same over the crawled pages alone (crawler.scoring.crawled_rank)

A strategy declares the columns it reads; no others are computed or stored. All values are a function of the pages and
links added, in their order, and of the current statistics; only R(A_i), which biases PageRank, is computed once, when
the link is added. PageRank is updated page by page, within a thousandth of each value
(kg/ranking/incremental_pagerank.py), and within a millionth after ``refresh_pagerank``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from crawler.frontier import Column
from crawler.frontier.growable import Patch, Touched
from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.prior import LinkPrior
from crawler.model import Bools, Counts, Floats, Ids
from crawler.scoring.crawled_rank import CrawledRank
from crawler.scoring.feature_key import FeatureKey
from crawler.scoring.relevance import Relevance
from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary
from kg.ranking.incremental_pagerank import IncrementalPageRank
from ontology.errors import OntocrawlError

Target = Literal["predict", "cached", "oracle"]
KINDS = ("anchor", "context", "parents", "parents_sum", "target")
"""Kinds of columns that exist per vocabulary, as KIND:VOCABULARY."""
CRAWLED = "crawled"
RANKS = MappingProxyType(
    {"pagerank": "biased", "pagerank_raw": "biased", "pagerank_plain": "plain", "pagerank_crawled": CRAWLED}
)
"""Column -> the PageRank it is taken from."""
RANK_VOCABULARY = "TK"
"""Vocabulary of the anchor relevance that biases PageRank in Eq. (8): the plain topic words."""
OMEGA, D = 0.6, 0.85
_CHUNK = 16_384
"""Links with topic words up to which each is scored by itself, not by its vector of counts."""
_BLOCK = 2_048
"""Vectors of counts that are scored at a time: so many fit in the cache of a processor."""
_ROWS = 256
_TOLERANCE = 1e-3
"""Relative error of a PageRank between two refreshes."""
_REFRESHED = 1e-6


class FeatureError(OntocrawlError, ValueError):
    """A column that cannot be computed; the message lists those that can."""


def expand(patterns: Sequence[str], vocabulary_names: Sequence[str]) -> tuple[str, ...]:
    """Expand patterns to the names of columns.

    Args:
        patterns: names such as ``target:LTK_*`` or, with a guide, ``target:LTK_*@paper_002``.
        vocabulary_names: the vocabularies of the crawl.

    Returns:
        Each name once, in the order of the patterns.

    Raises:
        FeatureError: a pattern that fits no column of these vocabularies.

    >>> expand(["anchor:TK", "target:LTK_*", "pagerank"], ["TK", "LTK_1", "LTK_2"])
    ('anchor:TK', 'target:LTK_1', 'target:LTK_2', 'pagerank')
    """
    known = [FeatureKey(kind, name) for kind in KINDS for name in vocabulary_names] + [*map(FeatureKey, RANKS)]
    names: dict[str, None] = {}
    for pattern in map(FeatureKey.parse, patterns):
        fitting = [str(key) for key in (column.under(pattern.guide) for column in known) if key.matches(pattern)]
        if not fitting:
            near = get_close_matches(pattern.column, map(str, known), n=1, cutoff=0.0)[0]
            raise FeatureError(
                "scoring.no_feature_column_fits",
                column=pattern.column,
                near=near,
                kinds=", ".join(KINDS),
                vocabulary_names=", ".join(vocabulary_names),
                ranks=", ".join(RANKS),
            )
        names.update(dict.fromkeys(fitting))
    return tuple(names)


class LinkFeatures:
    """The declared columns of links. The loop calls ``add_page``, then ``add_links``, for each fetched page."""

    def __init__(
        self,
        names: Sequence[str],
        vocabularies: Mapping[str, Vocabulary],
        relevance: Relevance,
        statistics: Statistics,
        graph: LinkGraph,
        *,
        target: str = "predict",
        known_target: Callable[[int, str], float | None] | None = None,
        prior: LinkPrior | None = None,
    ) -> None:
        """Create the columns of an empty graph.

        Args:
            names: columns or patterns, as for ``expand``.
            vocabularies: name -> topic vector.
            relevance: function that computes the columns.
            statistics: document frequencies, updated by their owner.
            graph: link graph, updated by its owner.
            target: how ``target:V`` is computed: "predict", or "cached" or "oracle", which look it up.
            known_target: function of a link and a vocabulary that returns the real R of the link's page, or None.
            prior: ranks of earlier crawls; a column of PageRank has the larger one of these and its own.

        Raises:
            FeatureError: an unknown column or mode, or a mode that needs ``known_target`` without one.
        """
        if target not in ("predict", "cached", "oracle"):
            raise FeatureError("scoring.target_must_predict_cached", target=target)
        if target != "predict" and known_target is None:
            raise FeatureError("scoring.target_needs_known_target", target=target)
        self.names = expand(names, tuple(vocabularies))
        self._keys = {name: FeatureKey.parse(name) for name in self.names}
        self._vocabularies = vocabularies
        self._relevance = relevance
        self._statistics = statistics
        self._graph = graph
        self._prior = prior
        self._known_target = None if target == "predict" else known_target
        self._anchors = {V: _PooledCounts(len(vocabularies[V])) for V in self._used("anchor", "target")}
        self._contexts = {V: _PooledCounts(len(vocabularies[V])) for V in self._used("context")}
        self._parents = {V: Column() for V in self._used("parents", "parents_sum", "target")}
        self._PR = self._pageranks()
        self._crawled = CrawledRank(graph) if CRAWLED in self._ranks_used() else None
        self._touched = Touched()
        self._ranked = 0
        """Number of links in the PageRanks at the last snapshot."""
        self._latest: tuple[int, Mapping[str, float]] | None = None
        self._room = 0
        """Number of links for which all columns have room."""

    @property
    def needs_context(self) -> bool:
        """Whether ``add_links`` needs the counts of the links' contexts."""
        return bool(self._contexts)

    # ---- writing ------------------------------------------------------------------------------------------------

    def add_page(self, page: int, relevance: Mapping[str, float]) -> None:
        """Add a fetched page; ``add_links`` with its links follows.

        Args:
            page: its id.
            relevance: its R by vocabulary.

        Raises:
            ValueError: R is missing for a vocabulary in use.
        """
        missing = self._parents.keys() - relevance.keys()
        if missing:
            raise ValueError(f"page {page} has no R under the vocabularies {', '.join(sorted(missing))}")
        self._latest = (page, relevance)
        if self._crawled is not None:
            self._crawled.add_page(page)

    def add_links(
        self, links: Ids, anchor_counts: Mapping[str, Counts], context_counts: Mapping[str, Counts] | None, parent: int
    ) -> None:
        """Add the distinct out-links of the page added last, in the order in which the graph got them.

        Args:
            links: ids, shape (m,).
            anchor_counts: by vocabulary the counts of topic words in the anchors, shape (m, n).
            context_counts: the same for the contexts; None where ``needs_context`` is False.
            parent: id of the page.

        Raises:
            ValueError: the page was not added before, links repeat, or contexts are needed and missing.
        """
        if self._latest is None or self._latest[0] != parent:
            raise ValueError(f"links of page {parent} without add_page({parent}, ..) just before")
        if len({*links.tolist()}) != len(links):
            raise ValueError(f"page {parent}: its out-links must be distinct")
        if self._contexts and context_counts is None:
            raise ValueError("the strategy reads context columns: pass the counts of the contexts to add_links")
        if len(links):
            self._grow(int(max(links.max(), parent)) + 1)
            self.add_counts(links, anchor_counts, context_counts, self._latest[1])
            if self._PR:
                self._add_edges(links, anchor_counts, parent)

    def add_counts(
        self,
        links: Ids,
        anchor_counts: Mapping[str, Counts],
        context_counts: Mapping[str, Counts] | None,
        relevance: Mapping[str, float],
    ) -> None:
        """Add what the vocabularies have of a page's links, and no edges: PageRanks are kept (``keep_ranks``).

        Args:
            links: ids of the distinct out-links, shape (m,), m > 0.
            anchor_counts: as for ``add_links``.
            context_counts: as for ``add_links``.
            relevance: R of the page by vocabulary.
        """
        for V, pool in self._anchors.items():
            pool.add(links, anchor_counts[V])
        for V, pool in self._contexts.items():
            pool.add(links, (context_counts or {})[V])
        for V, total in self._parents.items():
            total.grow(int(links.max()) + 1)
            total.set(links, total.get(links) + relevance[V])

    def keep_ranks(self, earlier: LinkFeatures) -> None:
        """Take the PageRanks of earlier columns: they depend on the links and on TK, and on no other vocabulary."""
        self._PR, self._crawled, self._room = earlier._PR, earlier._crawled, 0

    def refresh_pagerank(self) -> None:
        """Iterate PageRank over the whole graph, from the current values, where a column needs it.

        Raises:
            ValueError: the graph has links that were not added with ``add_links``.
        """
        if self._graph.n == 0:
            return
        if self._crawled is not None:
            self._crawled.settle()
        self._grow(self._graph.n)
        for PR in self._PR.values():
            if PR.links != len(self._graph):
                raise ValueError(f"the graph has {len(self._graph)} links, and add_links got {PR.links} of them")
            PR.settle(_REFRESHED)

    # ---- reading ------------------------------------------------------------------------------------------------

    def compute(self, links: Ids) -> dict[str, Floats]:
        """Return the declared columns of links, name -> shape (m,). Links may be any known ids, seeds included."""
        if len(links):
            self._grow(int(links.max()) + 1)
        anchors = {V: self._pooled_relevance(pool, V, links) for V, pool in self._anchors.items()}
        parents = self._means_of_parents(links)
        return {name: self._column(key, links, anchors, parents) for name, key in self._keys.items()}

    def _column(
        self, key: FeatureKey, links: Ids, anchors: Mapping[str, Floats], parents: Mapping[str, Floats]
    ) -> Floats:
        kind, V = key.kind, key.vocabulary
        if kind == "anchor":
            return anchors[V]
        if kind == "context":
            return self._pooled_relevance(self._contexts[V], V, links)
        if kind == "parents_sum":
            return self._parents[V].get(links)
        if kind == "parents":
            return parents[V]
        if kind == "target":
            return self._target(V, links, anchors[V], parents[V])
        if RANKS[kind] == CRAWLED and self._crawled is not None:
            return self._crawled.of(links)
        PR = self._PR[RANKS[kind]]
        values, largest = PR.values[links], PR.largest
        if self._prior:
            values, largest = np.maximum(values, self._prior.ranks(links)), max(largest, self._prior.largest)
        return values / (largest if kind == "pagerank" else 1.0)

    def _pooled_relevance(self, pool: _PooledCounts, V: str, links: Ids) -> Floats:
        """Return R of pooled counts, Eq. (10); 0 without computation for links that have none."""
        vector = pool.vector(links)
        rows = np.flatnonzero(vector >= 0)
        if len(rows) > _CHUNK:
            R = self._relevance_of_vectors(pool, V)[vector]
            # The last rows of a product whose number is no multiple of four round differently; so do they here.
            odd = len(rows) % 4
            rows = rows[len(rows) - (odd if len(rows) % _CHUNK < 4 else 4 + odd) :] if odd else rows[:0]
        else:
            R = np.zeros(len(links))
        if len(rows):
            R[rows] = self._relevance_of(pool.table(vector[rows]), V)
        return R

    def _relevance_of_vectors(self, pool: _PooledCounts, V: str) -> Floats:
        """Return R of each vector of a pool, and zeros behind, shape (more than its vectors,)."""
        R = np.zeros(pool.vectors + 1)
        for first in range(0, pool.vectors, _BLOCK):
            F = pool.table(np.arange(first, min(first + _BLOCK, pool.vectors)))
            # Whole blocks of rows, also where the threads of a matrix product share them: all are rounded alike.
            whole = np.pad(F, ((0, -len(F) % _ROWS), (0, 0)))
            R[first : first + len(F)] = self._relevance_of(whole, V)[: len(F)]
        return R

    def _relevance_of(self, F: Counts, V: str) -> Floats:
        return self._relevance.anchors(F, self._vocabularies[V].weights, self._statistics, V)

    def _means_of_parents(self, links: Ids) -> dict[str, Floats]:
        """Return the mean R of the parents of links by vocabulary; 0 for a link without parents."""
        if not self._parents:
            return {}
        m = np.maximum(self._graph.in_degree(links), 1).astype(np.float64)
        return {V: total.get(links) / m for V, total in self._parents.items()}

    def _target(self, V: str, links: Ids, R_anchor: Floats, R_parents: Floats) -> Floats:
        """Return R(P_l), Eq. (11): real where it is known, else half anchor and half parents (T4, a reconstruction)."""
        R = 0.5 * R_anchor + 0.5 * R_parents
        if self._known_target is not None:
            for row, link in enumerate(links.tolist()):
                known = self._known_target(link, V)
                if known is not None:
                    R[row] = known
        return R

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs; graph and statistics are saved by their owners."""
        n = self._graph.n
        self._grow(n)
        return {
            "names": list(self.names),
            "anchors": {V: pool.state() for V, pool in self._anchors.items()},
            "contexts": {V: pool.state() for V, pool in self._contexts.items()},
            "parents": {V: total.dump(n) for V, total in self._parents.items()},
            "PR": {which: _rank_state(PR, 0) for which, PR in self._PR.items()},
            **self._crawled_state(),
        }

    def changes(self) -> dict[str, Any]:
        """Return ``state`` with the changes since the last snapshot in place of arrays; PageRank changes everywhere."""
        n = self._graph.n
        self._grow(n)
        self._touched.add(self._graph.targets_since_saved())
        rows = self._touched.rows(n)
        return {
            "names": list(self.names),
            "anchors": {V: pool.changes(n, rows) for V, pool in self._anchors.items()},
            "contexts": {V: pool.changes(n, rows) for V, pool in self._contexts.items()},
            "parents": {V: total.patch(n, rows) for V, total in self._parents.items()},
            "PR": {which: _rank_state(PR, self._ranked) for which, PR in self._PR.items()},
            **self._crawled_state(),
        }

    def saved(self) -> None:
        """Continue after a snapshot."""
        self._touched.clear(self._graph.n)
        self._ranked = len(self._graph)

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned, after the graph was restored.

        Raises:
            ValueError: it was saved for other columns, or by a version with another form of PageRank.
        """
        if list(state["names"]) != list(self.names):
            raise ValueError(f"saved columns {', '.join(state['names'])} are not {', '.join(self.names)}")
        if set(state["PR"]) != set(self._PR):
            raise ValueError("PageRank was saved by another version: start a new crawl")
        for pools, saved in ((self._anchors, state["anchors"]), (self._contexts, state["contexts"])):
            for V, pool in pools.items():
                pool.restore(saved[V])
        for V, total in self._parents.items():
            values = state["parents"][V]
            total.grow(len(values))
            total.set(np.arange(len(values), dtype=np.int64), np.asarray(values, dtype=np.float64))
        pages = self._graph.pages
        pages = pages[self._graph.out_degree[pages] > 0]
        links = {"page": pages, "count": self._graph.out_degree[pages], "target": self._graph.target}
        for which, PR in self._PR.items():
            PR.restore({**state["PR"][which], **links})
        if self._crawled is not None:
            self._crawled.restore(state["PR_crawled"])
        self._room = 0

    # ---- inside -------------------------------------------------------------------------------------------------

    def _used(self, *kinds: str) -> list[str]:
        used = {key.vocabulary for key in self._keys.values() if key.kind in kinds}
        return [V for V in self._vocabularies if V in used]

    def _grow(self, n: int) -> None:
        if n <= self._room:
            return
        self._room = n
        for pool in (*self._anchors.values(), *self._contexts.values()):
            pool.grow(n)
        for total in self._parents.values():
            total.grow(n)
        for PR in self._PR.values():
            PR.grow(n)

    def _ranks_used(self) -> set[str]:
        return {RANKS[name] for name in self.names if name in RANKS}

    def _crawled_state(self) -> dict[str, Any]:
        return {} if self._crawled is None else {"PR_crawled": self._crawled.state()}

    def _pageranks(self) -> dict[str, IncrementalPageRank]:
        """Return the PageRanks over all known links that the columns need, ``biased`` and ``plain``."""
        used = self._ranks_used() - {CRAWLED}
        if "biased" in used and RANK_VOCABULARY not in self._vocabularies:
            raise FeatureError("scoring.pagerank_biased_anchors_under", rank_vocabulary=RANK_VOCABULARY)
        omega = {"biased": OMEGA, "plain": 0.0}
        return {which: IncrementalPageRank(omega=omega[which], d=D, tolerance=_TOLERANCE) for which in sorted(used)}

    def _add_edges(self, links: Ids, anchor_counts: Mapping[str, Counts], parent: int) -> None:
        """Add the parent's links to PageRank, for the repaired Eq. (8) with R(A_i)."""
        if "plain" in self._PR:
            self._PR["plain"].add_links(parent, links)
        if "biased" in self._PR:
            R_A = self._relevance_of(anchor_counts[RANK_VOCABULARY], RANK_VOCABULARY)
            self._PR["biased"].add_links(parent, links, R_A)


def _rank_state(PR: IncrementalPageRank, links: int) -> dict[str, Any]:
    """Return the state of a PageRank without its links, which are those of the graph, and R of links from a number on.

    Args:
        PR: the PageRank.
        links: the number; if it is not 0, R is a change.
    """
    state = PR.state(links)
    return {"x": state["x"], "r": state["r"], "R": Patch(PR.links, None, state["R"]) if links else state["R"]}


# ---- counts of topic words pooled by link, each distinct vector of counts once
#
# Most of up to a million links have no topic word, and the others share few different vectors. A link takes 4 bytes,
# and a relevance is computed for each vector, not for each link. A vector that no link has any more is forgotten.


_NONE = -1
_PAIR = np.dtype([("word", np.int32), ("count", np.int32)])


class _PooledCounts:
    """Sums of count vectors by link.

    >>> pooled = _PooledCounts(3)
    >>> pooled.add(np.array([4, 7]), np.array([[1, 0, 0], [0, 0, 0]]))
    >>> pooled.add(np.array([4]), np.array([[1, 0, 2]]))
    >>> pooled.get(np.array([4, 7])).tolist(), pooled.has(np.array([4, 7])).tolist()
    ([[2, 0, 2], [0, 0, 0]], [True, False])
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self._known = 0
        self._vector = Column(_NONE, np.int32)
        """Link -> number of its vector."""
        self._pairs = list[bytes]()
        """Vector -> its (word, count) pairs; b"" for a number that is free."""
        self._links = list[int]()
        """Vector -> number of links that have it."""
        self._number = dict[bytes, int]()
        self._free = list[int]()

    @property
    def vectors(self) -> int:
        """Number of the vectors, those that are free included: all numbers are below it."""
        return len(self._pairs)

    def add(self, links: Ids, counts: Counts) -> None:
        """Add counts, shape (m, n), to those of m distinct links, ids of shape (m,)."""
        rows = np.flatnonzero(counts.any(axis=1))
        if len(rows) == 0:
            return
        owners, F = links[rows], counts[rows]
        self.grow(int(owners.max()) + 1)
        old = self._vector.ids(owners)
        F[old != _NONE] += self.table(old[old != _NONE])
        new = [self._take(pairs) for pairs in _pairs(F)]
        for number in old[old != _NONE].tolist():
            self._leave(number)
        self._vector.set(owners, np.asarray(new))

    def has(self, links: Ids) -> Bools:
        """Return which links have any count; shape (m,)."""
        has_any: Bools = self.vector(links) != _NONE
        return has_any

    def vector(self, links: Ids) -> Ids:
        """Return the number of the vector of each link, -1 for a link without counts; shape (m,)."""
        self.grow(int(links.max(initial=-1)) + 1)
        return self._vector.ids(links)

    def get(self, links: Ids) -> Counts:
        """Return the pooled counts of links, shape (m, n)."""
        F: Counts = np.zeros((len(links), self.n), dtype=np.int64)
        vector = self.vector(links)
        F[vector != _NONE] = self.table(vector[vector != _NONE])
        return F

    def table(self, vectors: Ids) -> Counts:
        """Return the counts of vectors by their numbers, shape (m, n)."""
        pairs = [*map(self._pairs.__getitem__, vectors.tolist())]
        entries = np.frombuffer(b"".join(pairs), dtype=_PAIR)
        rows = np.repeat(np.arange(len(pairs)), _entries(pairs))
        F: Counts = np.zeros((len(pairs), self.n), dtype=np.int64)
        F[rows, entries["word"]] = entries["count"]
        return F

    def changes(self, n: int, rows: Ids) -> dict[str, Any]:
        """Return ``state`` of links 0 .. n-1 with the change of ``rows`` in place of the array by link."""
        return {**self._table(), "vector": self._vector.patch(n, rows)}

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        return {**self._table(), "vector": self._vector.dump(self._known)}

    def _table(self) -> dict[str, Any]:
        """Return the vectors as arrays."""
        entries = np.frombuffer(b"".join(self._pairs), dtype=_PAIR)
        return {
            "entries": _entries(self._pairs),
            "word": entries["word"].copy(),
            "count": entries["count"].copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned; the object must be new."""
        vector = np.asarray(state["vector"], dtype=np.int64)
        self.grow(len(vector))
        self._vector.set(np.arange(len(vector)), vector)
        entries = np.empty(len(state["word"]), dtype=_PAIR)
        entries["word"], entries["count"] = state["word"], state["count"]
        self._pairs = _split(entries, np.asarray(state["entries"]))
        self._links = np.bincount(vector[vector != _NONE], minlength=len(self._pairs)).tolist()
        self._number = {pairs: number for number, pairs in enumerate(self._pairs) if pairs}
        self._free = [number for number, pairs in enumerate(self._pairs) if not pairs]

    def grow(self, n: int) -> None:
        """Make room for links 0 .. n-1."""
        self._known = max(self._known, n)
        self._vector.grow(self._known)

    def _take(self, pairs: bytes) -> int:
        """Return the number of a vector that one more link has, a new one where no link had it."""
        number = self._number.get(pairs)
        if number is None:
            if self._free:
                number = self._free.pop()
                self._pairs[number] = pairs
            else:
                number = len(self._pairs)
                self._pairs.append(pairs)
                self._links.append(0)
            self._number[pairs] = number
        self._links[number] += 1
        return number

    def _leave(self, number: int) -> None:
        """Count one link less that has a vector, and forget the vector after the last one."""
        self._links[number] -= 1
        if not self._links[number]:
            del self._number[self._pairs[number]]
            self._pairs[number] = b""
            self._free.append(number)


def _entries(pairs: Sequence[bytes]) -> Ids:
    """Return the number of (word, count) pairs of each vector."""
    return np.fromiter(map(len, pairs), dtype=np.int64, count=len(pairs)) // _PAIR.itemsize


def _pairs(F: Counts) -> list[bytes]:
    """Return the (word, count) pairs of each row of counts, which has some."""
    rows, words = np.nonzero(F)
    entries = np.empty(len(rows), dtype=_PAIR)
    entries["word"], entries["count"] = words, F[rows, words]
    return _split(entries, np.bincount(rows, minlength=len(F)))


def _split(entries: NDArray[np.void], sizes: Sequence[int] | Ids) -> list[bytes]:
    data, size = entries.tobytes(), np.asarray(sizes, dtype=np.int64) * _PAIR.itemsize
    ends = np.cumsum(size)
    return [data[start:end] for start, end in zip((ends - size).tolist(), ends.tolist(), strict=True)]
