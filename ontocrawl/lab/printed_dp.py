"""Pages as paper 002 counts them: DP is the number of links that were admitted to the queue (trap T22).

Algorithm 1 fetches the pages of all links before it admits some of them (step 8), counts the admitted ones as DP, and
those of them with R(P_j) >= beta as LP (step 9). Seeds and rejected links do not count; a page counts once. R(P_j) is
known only where a crawl looks ahead by fetching (``target`` = oracle); where it is predicted there is no such count.
"""

from __future__ import annotations

from crawler.frontier import FrontierView
from crawler.model import Bools, Ids
from crawler.state import CrawlState
from crawler.strategies.base import Strategy
from ontocrawl.lab.trace import Row


class AdmittedPages:
    """The pages of the links that a strategy admits, in the order of admission.

    Attributes:
        rows: one row for each page; the parent of a row is that of the page with the link, -1 for a seed.
    """

    def __init__(self, state: CrawlState) -> None:
        """Begin before the crawl; ``state`` is that of the crawl, whose strategy is watched."""
        self.rows = list[Row]()
        self._state = state
        self._admitted = list[int]()
        """Links that were admitted since the last step."""
        self._row_of, self._row_of_page = dict[int, int](), dict[str, int]()
        self.is_known = state.strategy.counts == "admitted" and state.setup.target == "oracle"
        if self.is_known:
            self._watch(state.strategy)

    def _watch(self, strategy: Strategy) -> None:
        admit = strategy.admit

        def admit_noted(view: FrontierView, links: Ids) -> Bools:
            admitted = admit(view, links)
            self._admitted += links[admitted].tolist()
            return admitted

        strategy.admit = admit_noted  # type: ignore[method-assign]

    def note(self, page: int, requests: int) -> None:
        """Add the links that were admitted in a step, one by one.

        Args:
            page: link whose page was read in the step.
            requests: requests that had been made by its end.
        """
        parent = self._row_of.get(page, -1)
        for link in self._admitted:
            record = self._state.seen_ahead.get(link)
            if record is None or record.failure is not None:
                continue  # no page was downloaded
            self._row_of[link] = self._row_of_page.setdefault(record.final_url, len(self.rows))
            if self._row_of[link] < len(self.rows):
                continue  # read through another link, which redirects to it
            score = self._state.score(record)
            urls = (self._state.urls.url(link), record.final_url)
            self.rows.append(Row(requests, urls, score.judged, score.relevant, parent))
        self._admitted.clear()
