"""Which hosts respond: whether the network is down, and which links deserve another try because their host was."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping
from typing import Any

from crawler.fetching.retries import NO_RESPONSE

FEW_FAILURES = 5
"""Failures in a row from which an empty frontier means that the network is down, not that the crawl is done."""
WITNESSES = 5
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
        self._silent: dict[str, None] = {}
        """Their hosts."""
        self._unreached: dict[str, list[int]] = {}
        """Host -> links that failed without a request, because the host was given up."""
        self._responding: OrderedDict[str, None] = OrderedDict()
        """Hosts that responded, the last one last."""

    def count(self, link: int, host: str, failure: str | None, status: int | None = None) -> list[int]:
        """Count an outcome.

        Args:
            link: the link.
            host: the host of its last hop.
            failure: reason code of its failure; None for a page.
            status: status of the response, if there was one.

        Returns:
            Links to queue again, because their host, which was given up, responds now.
        """
        if failure in NO_RESPONSE or failure == "host_down":
            self.lost.append(link)
            self._silent[host] = None
            if failure == "host_down":
                self._unreached.setdefault(host, []).append(link)
        elif failure is None or status is not None:
            self.lost, self._silent = [], {}
            self._responding[host] = None
            self._responding.move_to_end(host)
            if len(self._responding) > _RECENT:
                self._responding.popitem(last=False)
            return self._unreached.pop(host, [])
        return []

    def is_network_down(self, failures: int) -> bool:
        """Return whether at least ``failures`` links failed in a row, and hosts that responded before are silent."""
        silent = sum(host in self._responding for host in self._silent)
        return len(self.lost) >= failures and silent >= min(WITNESSES, len(self._responding))

    def responded(self, host: str) -> bool:
        """Return whether a host has responded, as far as is remembered."""
        return host in self._responding

    def links_to_try_again(self) -> list[int]:
        """Return the links to try again when the run is resumed after the network was down."""
        return list(dict.fromkeys([*self.lost, *(link for links in self._unreached.values() for link in links)]))

    def forget(self, links: Collection[int]) -> None:
        """Forget that links failed, because they are queued again."""
        again = set(links)
        self.lost = [link for link in self.lost if link not in again]
        self._unreached = {
            host: left for host, lost in self._unreached.items() if (left := [i for i in lost if i not in again])
        }
        if not self.lost:
            self._silent = {}

    def state(self) -> dict[str, Any]:
        """Return all that ``restore`` needs."""
        return {
            "lost": list(self.lost),
            "silent": list(self._silent),
            "unreached": {host: list(links) for host, links in self._unreached.items()},
            "responding": list(self._responding),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore what ``state`` returned."""
        self.lost = list(saved["lost"])
        self._silent = dict.fromkeys(saved["silent"])
        self._unreached = {host: list(links) for host, links in saved["unreached"].items()}
        self._responding = OrderedDict.fromkeys(saved["responding"])
