"""Feature columns by guide: a strategy has one, the members of a mixture may have several.

The columns of a strategy with one guide have plain names (``anchor:TK``); those of a mixture say whose they are
(``anchor:TK@paper_002``), and each member's view reads its own by their plain names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from crawler.frontier.link_graph import LinkGraph
from crawler.model import Counts, Floats, Ids
from crawler.scoring.feature_key import FeatureKey
from crawler.scoring.features import LinkFeatures
from crawler.scoring.relevance import Relevance
from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary

KnownTarget = Callable[[str, int, str], float | None]
"""The real R of a link's page by guide, link and vocabulary, where it is known."""


class GuidedFeatures:
    """LinkFeatures for each guide, behind one interface. The loop writes it as it would a single one."""

    def __init__(
        self,
        names: Sequence[str],
        guides: Mapping[str, Relevance],
        vocabularies: Mapping[str, Vocabulary],
        statistics: Statistics,
        graph: LinkGraph,
        target: str,
        known_target: KnownTarget,
    ) -> None:
        """``names`` are concrete columns; ``guides`` holds the only guide under '', or several by their names.

        Raises:
            FeatureError: an unknown column or mode of looking ahead.
        """
        self._keys = {name: FeatureKey.parse(name) for name in names}

        def features(guide: str) -> LinkFeatures:
            columns = [key.column for key in self._keys.values() if key.guide == guide]
            known, relevance = partial(known_target, guide), guides[guide]
            return LinkFeatures(columns, vocabularies, relevance, statistics, graph, target=target, known_target=known)

        self.by_guide = {guide: features(guide) for guide in guides}

    @property
    def needs_context(self) -> bool:
        """Whether ``add_links`` must be given counts of the links' contexts."""
        return any(features.needs_context for features in self.by_guide.values())

    def add_page(self, page: int, relevance: Mapping[str, Mapping[str, float]]) -> None:
        """A page was fetched; ``relevance`` is its R by guide and vocabulary."""
        for guide, features in self.by_guide.items():
            features.add_page(page, relevance[guide])

    def add_links(
        self, links: Ids, anchor_counts: Mapping[str, Counts], context_counts: Mapping[str, Counts] | None, parent: int
    ) -> None:
        """The distinct out-links of the page added last, as for LinkFeatures."""
        for features in self.by_guide.values():
            features.add_links(links, anchor_counts, context_counts, parent)

    def refresh_pagerank(self) -> None:
        """Bring PageRank closer over the whole graph, where a column needs it."""
        for features in self.by_guide.values():
            features.refresh_pagerank()

    def compute(self, links: Ids) -> dict[str, Floats]:
        """Return the columns of the links; name -> shape (m,)."""
        columns = {guide: features.compute(links) for guide, features in self.by_guide.items()}
        return {name: columns[key.guide][key.column] for name, key in self._keys.items()}

    def state(self) -> dict[str, Any]:
        return {guide: features.state() for guide, features in self.by_guide.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take back a saved state. Raises ValueError where it was saved for other columns."""
        for guide, features in self.by_guide.items():
            features.restore(state[guide])
