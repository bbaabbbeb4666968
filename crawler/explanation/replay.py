"""The state of a crawl at any of its choices, by a replay of its journal that writes nothing.

The journal does not keep the feature values of each choice: a replay computes them again exactly, as a resumed crawl
does, and compares each choice on its way with the journalled one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from crawler.crawl import Crawl
from crawler.state import CrawlState

OnEvent = Callable[[int, int], None]
"""Callback called with the number of the event that is repeated next, and that of the last one."""


class Replay(Crawl):
    """A crawl that is only replayed. Its world is not used; another process may be crawling the run."""

    _begun = False

    def before(self, seq: int, on_event: OnEvent = lambda event, last: None) -> CrawlState:
        """Return the state of the crawl right before an event.

        Args:
            seq: number of the event, not smaller than in an earlier call; one after the last event for the present
                state of the run.
            on_event: called before each event.

        Returns:
            The state, which the next call changes.

        Raises:
            JournalError: a choice that is made again differs from the journalled one, as after a change of version.
        """
        if not self._begun:
            self._begin(seq)
        for event in takewhile(lambda event: event.seq < seq, self.journal.events(self._seq)):
            on_event(event.seq, seq - 1)
            self._replay(iter([event]))
        return self.state

    def _begin(self, seq: int) -> None:
        """Start with the last snapshot before an event, else with the seeds."""
        self._begun = self._replaying = True
        try:
            saved = self.journal.snapshots.latest(seq - 1) if self.state.setup.target == "predict" else None
        except OSError:  # the process that crawls has just replaced it
            saved = None
        if saved is None:
            self.state.plant_seeds()
            return
        self._seq, known, state = saved
        self._restore(state, known)
