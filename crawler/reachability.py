"""Which hosts respond: whether the network is down, and which links deserve another try because their host was."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from typing import Any

from crawler.fetching.retries import BUSY, HOST_DOWN, HOST_PAUSED, LEFT_ALONE, NO_RESPONSE

FEW_FAILURES = 5
"""Failures in a row from which an empty frontier means that the network is down, not that the crawl is done."""
_WITNESSES = 5
"""Hosts that responded before and do not now, which suffice to call the network down."""
_RECENT = 100
"""Number of hosts that are remembered as responding."""


class Reachability:
    """Counts of the responses and silences of hosts, fed with the outcome of each link in turn.

    A host that never responded says nothing about the network; so forty links to a closed port stop no crawl.

    >>> seen = Reachability()
    >>> seen.count(0, "a.cn", None)
    []
    >>> [seen.count(link, "closed.cn", "refused") for link in (1, 2)], seen.is_network_down(2)
    ([[], []], False)
    >>> seen.count(3, "a.cn", "timeout"), seen.is_network_down(2)
    ([], True)
    """

    def __init__(self) -> None:
        self.lost: list[int] = []
        """Links that failed since the last response of any host."""
        self._signs: list[int] = []
        """Those of them that were chosen after each link that responded. A link that was chosen before one that
        responded, and is tried again and again, is no sign that the network is down."""
        self._responded = 0
        """Number of the last pick that responded."""
        self._silent: dict[str, None] = {}
        """The hosts of these signs."""
        self._unreached: dict[str, list[int]] = {}
        """Host -> links that failed without a request, because the host was left alone."""
        self._paused: set[str] = set()
        """Those of these hosts that asked for a pause."""
        self._probed: set[str] = set()
        """Those of which a link was queued again, whose outcome is not known so far."""
        self._responding: OrderedDict[str, None] = OrderedDict()
        """Hosts that responded, the last one last."""

    def count(
        self, link: int, host: str, failure: str | None, status: int | None = None, pick: int | None = None
    ) -> list[int]:
        """Count an outcome.

        Args:
            link: the link.
            host: the host of its last hop.
            failure: reason code of its failure; None for a page.
            status: status of the response, if there was one.
            pick: number of its pick; None for a later one than all others.

        Returns:
            Links to queue again, because their host, which was left alone, responds now.
        """
        self._probed.discard(host)
        if failure in LEFT_ALONE:
            self._unreached.setdefault(host, []).append(link)
        if failure == HOST_PAUSED:
            self._paused.add(host)
            return []
        if failure in NO_RESPONSE or failure == HOST_DOWN:
            self.lost.append(link)
            if pick is None or pick > self._responded:
                self._signs.append(link)
                self._silent[host] = None
        elif failure is None or status is not None:
            self.lost, self._signs, self._silent = [], [], {}
            self._responded = max(self._responded, pick or 0)
            self._responding[host] = None
            self._responding.move_to_end(host)
            if len(self._responding) > _RECENT:
                self._responding.popitem(last=False)
            if status not in BUSY:
                self._paused.discard(host)
                return self._unreached.pop(host, [])
        return []

    def left_alone(self) -> list[str]:
        """Return the hosts with links that failed without a request, of which none is tried again now."""
        return [host for host in self._unreached if host not in self._probed]

    def probe(self, host: str, was_read: Callable[[int], bool]) -> int | None:
        """Return a link by which a host that was left alone is asked again; None where it needs none.

        Args:
            host: the host.
            was_read: tells whether the page of a link was read meanwhile, through another link.
        """
        links = self._unreached[host] = [link for link in self._unreached[host] if not was_read(link)]
        if not links:
            del self._unreached[host]
            return None
        self._probed.add(host)
        return links[0]

    def may_respond(self, host: str) -> bool:
        """Return whether a host has responded, as far as is remembered."""
        return host in self._responding or host in self._paused

    def is_network_down(self, failures: int) -> bool:
        """Return whether at least ``failures`` links failed in a row, and hosts that responded before are silent."""
        silent = sum(host in self._responding for host in self._silent)
        return len(self._signs) >= failures and silent >= min(_WITNESSES, len(self._responding))

    def links_to_try_again(self, network_was_down: bool = True) -> list[int]:
        """Return the links to try again when the run is resumed: of hosts left alone, and all if the network was down.

        Links of hosts that never responded are among them only if the network was down.
        """
        left = [links for host, links in self._unreached.items() if network_was_down or self.may_respond(host)]
        lost = self.lost if network_was_down else []
        return list(dict.fromkeys([*lost, *(link for links in left for link in links)]))

    def forget(self, links: Collection[int]) -> None:
        """Forget that links failed, because they are queued again."""
        again = set(links)
        self.lost = [link for link in self.lost if link not in again]
        self._signs = [link for link in self._signs if link not in again]
        self._unreached = {
            host: left for host, lost in self._unreached.items() if (left := [i for i in lost if i not in again])
        }
        if not self.lost:
            self._silent = {}

    def state(self) -> dict[str, Any]:
        """Return all that ``restore`` needs."""
        return {
            "lost": list(self.lost),
            "signs": list(self._signs),
            "responded": self._responded,
            "silent": list(self._silent),
            "unreached": {host: list(links) for host, links in self._unreached.items()},
            "responding": list(self._responding),
            "paused": sorted(self._paused),
            "probed": sorted(self._probed),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore what ``state`` returned."""
        self.lost = list(saved["lost"])
        self._signs, self._responded = list(saved["signs"]), int(saved["responded"])
        self._silent = dict.fromkeys(saved["silent"])
        self._unreached = {host: list(links) for host, links in saved["unreached"].items()}
        self._responding = OrderedDict.fromkeys(saved["responding"])
        self._paused, self._probed = set(saved["paused"]), set(saved["probed"])
