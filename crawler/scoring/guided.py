"""Feature columns by guide: a strategy has one guide, a mixture as many as its members have.

The columns of a strategy with one guide have plain names (``anchor:TK``); those of a mixture end with the guide
(``anchor:TK@paper_002``), and the view of each member resolves the plain names to its guide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.prior import LinkPrior
from crawler.model import Counts, Floats, Ids
from crawler.scoring.feature_key import FeatureKey
from crawler.scoring.features import LinkFeatures
from crawler.scoring.relevance import Relevance
from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary

KnownTarget = Callable[[str, int, str], float | None]
"""Returns the real R of a link's page for a guide, link and vocabulary, or None."""


class GuidedFeatures:
    """LinkFeatures of several guides with the interface of a single one."""

    def __init__(
        self,
        names: Sequence[str],
        guides: Mapping[str, Relevance],
        vocabularies: Mapping[str, Vocabulary],
        statistics: Statistics,
        graph: LinkGraph,
        target: str,
        known_target: KnownTarget,
        prior: LinkPrior | None = None,
    ) -> None:
        """Create the columns of an empty graph.

        Args:
            names: columns, no patterns.
            guides: relevance functions by the name of the guide; a single guide has the name ''.
            vocabularies: name -> topic vector.
            statistics: document frequencies, updated by their owner.
            graph: link graph, updated by its owner.
            target: how ``target:V`` is computed, as for LinkFeatures.
            known_target: looks up the real R of a link's page.
            prior: ranks of earlier crawls.

        Raises:
            FeatureError: an unknown column, or an unknown ``target``.
        """
        self._keys = {name: FeatureKey.parse(name) for name in names}

        def features(guide: str) -> LinkFeatures:
            columns = [key.column for key in self._keys.values() if key.guide == guide]
            known, relevance = partial(known_target, guide), guides[guide]
            return LinkFeatures(
                columns, vocabularies, relevance, statistics, graph, target=target, known_target=known, prior=prior
            )

        self.by_guide = {guide: features(guide) for guide in guides}

    @property
    def needs_context(self) -> bool:
        """Whether ``add_links`` needs the counts of the links' contexts."""
        return any(features.needs_context for features in self.by_guide.values())

    def add_page(self, page: int, relevance: Mapping[str, Mapping[str, float]]) -> None:
        """Add a fetched page; ``relevance`` is its R by guide and vocabulary."""
        for guide, features in self.by_guide.items():
            features.add_page(page, relevance[guide])

    def add_links(
        self, links: Ids, anchor_counts: Mapping[str, Counts], context_counts: Mapping[str, Counts] | None, parent: int
    ) -> None:
        """Add the distinct out-links of the page added last; arguments as for LinkFeatures."""
        for features in self.by_guide.values():
            features.add_links(links, anchor_counts, context_counts, parent)

    def add_counts(
        self,
        links: Ids,
        anchor_counts: Mapping[str, Counts],
        context_counts: Mapping[str, Counts] | None,
        relevance: Mapping[str, Mapping[str, float]],
    ) -> None:
        """Add a page's links without edges, as LinkFeatures; ``relevance`` is R of the page by guide and vocabulary."""
        for guide, features in self.by_guide.items():
            features.add_counts(links, anchor_counts, context_counts, relevance[guide])

    def keep_ranks(self, earlier: GuidedFeatures) -> None:
        """Take the PageRanks of earlier columns of the same guides."""
        for guide, features in self.by_guide.items():
            features.keep_ranks(earlier.by_guide[guide])

    def refresh_pagerank(self) -> None:
        """Iterate PageRank over the whole graph where a column needs it."""
        for features in self.by_guide.values():
            features.refresh_pagerank()

    def compute(self, links: Ids) -> dict[str, Floats]:
        """Return the columns of the links; name -> shape (m,)."""
        columns = {guide: features.compute(links) for guide, features in self.by_guide.items()}
        return {name: columns[key.guide][key.column] for name, key in self._keys.items()}

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        return {guide: features.state() for guide, features in self.by_guide.items()}

    def changes(self) -> dict[str, Any]:
        """Return ``state`` with the changes since the last snapshot in place of arrays."""
        return {guide: features.changes() for guide, features in self.by_guide.items()}

    def saved(self) -> None:
        """Continue after a snapshot."""
        for features in self.by_guide.values():
            features.saved()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned.

        Raises:
            ValueError: it was saved for other columns.
        """
        for guide, features in self.by_guide.items():
            features.restore(state[guide])
