"""A set of links as one byte for each known link; a set of a million Python integers takes more than 60."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from crawler.frontier.growable import with_room
from crawler.model import Bools, Ids


class LinkSet:
    """A set of link ids, with the methods of ``set`` that a crawl uses.

    >>> links = LinkSet([2, 70])
    >>> links.add(5)
    >>> links.difference_update([70, 80])
    >>> list(links), 5 in links, 80 in links, links.mask(np.array([2, 3])).tolist()
    ([2, 5], True, False, [True, False])
    """

    def __init__(self, links: Iterable[int] | Ids = ()) -> None:
        self._member: Bools = np.zeros(64, dtype=np.bool_)
        self.update(links)

    def __contains__(self, link: int) -> bool:
        return link < len(self._member) and bool(self._member[link])

    def __iter__(self) -> Iterator[int]:
        return iter(self.members().tolist())

    def __len__(self) -> int:
        return int(np.count_nonzero(self._member))

    def members(self) -> Ids:
        """Return the members in ascending order, shape (k,)."""
        return np.flatnonzero(self._member).astype(np.int64)

    def mask(self, links: Ids) -> Bools:
        """Return which links are members, shape (m,)."""
        self._member = with_room(self._member, int(links.max(initial=-1)) + 1)
        return self._member[links]

    def add(self, link: int) -> None:
        """Add a link."""
        self._member = with_room(self._member, link + 1)
        self._member[link] = True

    def update(self, links: Iterable[int] | Ids) -> None:
        """Add links."""
        ids = _ids(links)
        self._member = with_room(self._member, int(ids.max(initial=-1)) + 1)
        self._member[ids] = True

    def difference_update(self, links: Iterable[int] | Ids) -> None:
        """Remove links, of which some may be no members."""
        ids = _ids(links)
        self._member[ids[ids < len(self._member)]] = False

    def packed(self) -> NDArray[np.uint8]:
        """Return the members as bits, from which ``restore`` makes the set."""
        return np.packbits(self._member)

    def restore(self, packed: NDArray[np.uint8]) -> None:
        """Restore what ``packed`` returned."""
        self._member = np.unpackbits(np.asarray(packed, dtype=np.uint8)).astype(np.bool_)


def _ids(links: Iterable[int] | Ids) -> Ids:
    return links if isinstance(links, np.ndarray) else np.fromiter(links, dtype=np.int64)
