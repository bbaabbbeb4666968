"""Content links of a block of pages: targets and kinds of anchors, by arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crawler.worlds.synthetic.calibrated import district as districts
from crawler.worlds.synthetic.calibrated.district import OPEN, OTHERS, PAGES, District, Ints, Kinds
from crawler.worlds.synthetic.calibrated.hashing import key_of, units, words
from crawler.worlds.synthetic.calibrated.parameters import Parameters

BLOCK = 500
"""Pages whose links are drawn together."""
NAMING, SHORT, GENERIC, MISLEADING, EMPTY = range(5)
"""Kinds of anchors: the title of the target, a phrase about its kind, "more", a phrase about another kind, nothing."""
_FOREIGN = 0.03
"""Share of the content links of irrelevant pages that leave the district."""
_OWN_KIND, _OWN_HOST = 0.5, 0.2
"""Shares of an irrelevant page's other links that stay in its kind, and on its host."""
_NEAR_LEAK = 2.5
"""How much more often near pages link to relevant pages than other irrelevant ones."""
_RETURNED = 2.7
"""Mutual slots of a page for each of its returned links: some have no partner, or one with fewer links."""
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Block:
    """Content links of some pages.

    Attributes:
        first: index of the first page.
        start: place of each page's first link, with one more entry at the end.
        target: index of the page that each link leads to.
        anchor: kind of its anchor.
    """

    first: int
    start: Ints
    target: Ints
    anchor: Ints

    def of(self, index: int) -> tuple[list[int], list[int]]:
        """Return targets and kinds of anchors of a page."""
        row = index - self.first
        part = slice(int(self.start[row]), int(self.start[row + 1]))
        return self.target[part].tolist(), self.anchor[part].tolist()


class Linker:
    """Draws the links of blocks of pages."""

    def __init__(
        self, seed: int, preset: str, parameters: Parameters, kinds: Kinds, pages: int, at: Callable[[int], District]
    ) -> None:
        self.parameters, self.kinds, self.pages, self.at = parameters, kinds, pages, at
        self.key = key_of(seed, preset, "links")

    def block(self, number: int) -> Block:
        """Draw the links of pages 500 * number .. 500 * number + 499."""
        first = number * BLOCK
        here = self.at(first // PAGES)
        low = first - here.first
        rows = np.arange(low, min(low + BLOCK, len(here)), dtype=np.int64)
        degree = here.degree[rows]
        start = np.concatenate([[0], np.cumsum(degree)])
        draw = _Draw(self.key, here, np.repeat(rows, degree), np.arange(start[-1]) - np.repeat(start[:-1], degree))
        place, mutual = self._partners(here, draw)
        target = np.where(mutual, here.first + place, self._drawn(here, draw))
        return Block(first, start, target, self._anchors(draw))

    def _anchors(self, draw: _Draw) -> Ints:
        p = self.parameters
        bounds = np.cumsum([p.naming, 1 - p.naming - p.generic - p.misleading - p.empty, p.generic, p.misleading])
        return np.searchsorted(bounds, draw.units(5), side="right").astype(np.int64)

    def _partners(self, here: District, draw: _Draw) -> tuple[Ints, Bools]:
        """Return the partner in the slots of returned links: the page whose rank in a pool differs by one mask.

        Even slots pair pages of a host, odd ones pages of a kind or community: rank XOR mask is its own inverse.
        """
        slots = self._slots(here)
        odd = draw.slot % 2 == 1
        pool = np.where(odd, here.own[draw.row], here.by_host[draw.row])
        rank = np.where(odd, here.own_rank[draw.row], here.host_rank[draw.row])
        other = rank ^ (draw.slot // 2 + 1)
        paired = (draw.slot < slots[draw.row]) & (rank >= 0) & (other < here.pools.size[pool]) & (other >= 0)
        partner = here.pools.members[np.where(paired, here.pools.start[pool] + other, 0)]
        return partner, paired & (draw.slot < slots[partner])

    def _slots(self, here: District) -> Ints:
        return (here.degree * min(self.parameters.reciprocity * _RETURNED, 1.0)).astype(np.int64)

    def _drawn(self, here: District, draw: _Draw) -> Ints:
        """Return the targets that are not returned on purpose: by topic, kind, host, or any."""
        topical = draw.units(1) < self._topical(here)[draw.row]
        relevant = here.kind[draw.row] == 0
        mark = draw.units(2)
        own = np.where(relevant, OTHERS, here.own[draw.row])
        hosts = here.by_host[draw.row] + districts.HOSTS
        pool = np.where(mark < _OWN_KIND, own, np.where(mark < _OWN_KIND + _OWN_HOST, hosts, OTHERS))
        bridge = units(words(self.key ^ 1, draw.h)) < self.parameters.bridging
        community = np.where(relevant & ~bridge, here.own[draw.row], OPEN)
        pool = np.where(topical, community, pool)
        pool = np.where(here.pools.size[pool] > 0, pool, OTHERS)
        within = here.first + here.pools.members[here.pools.start[pool] + self._popular(draw, here.pools.size[pool])]
        away = np.where(topical, relevant & bridge & (mark < 0.5), mark > 1 - _FOREIGN)
        return np.where(away, self._foreign(here, draw, topical, within), within)

    def _topical(self, here: District) -> Floats:
        """Return for each page the chance that a link which is not returned on purpose leads to a relevant page."""
        p = self.parameters
        links = here.degree + p.menu
        near = (here.kind > 0) & (here.kind <= self.kinds.near)
        others = (1 - p.near * _NEAR_LEAK) / (1 - p.near) if p.near * _NEAR_LEAK < 1 else 0.0
        leak = p.locality_other * np.where(
            near, _NEAR_LEAK if p.near * _NEAR_LEAK < 1 else 1 / max(p.near, 1e-9), others
        )
        expected = np.where(here.kind == 0, p.locality, leak) * links
        slots = self._slots(here)
        paired = slots / _RETURNED
        returned = np.where(here.kind == 0, (1 + p.base_rate) * paired / 2, p.base_rate * paired / 2)
        chance: Floats = np.clip((expected - returned) / np.maximum(here.degree - paired, 1), 0.0, 1.0)
        return chance

    def _popular(self, draw: _Draw, size: Ints) -> Ints:
        """Return places in pools: the density falls with the place to the power 1 / popularity - 1."""
        u = draw.units(3)
        whole = int(self.parameters.popularity)
        part = self.parameters.popularity - whole
        power = u.copy()
        for _ in range(whole - 1):
            power = power * u
        return ((power * (1 - part) + power * u * part) * size).astype(np.int64)

    def _foreign(self, here: District, draw: _Draw, topical: Bools, within: Ints) -> Ints:
        """Return pages of linked districts: open relevant pages of a neighbour, or home pages."""
        number = here.first // PAGES
        linked = np.array([number + 1, number - 1, 2 * number + 1, 2 * number + 2])
        picked = linked[(draw.units(4) * np.where(topical, 2, 4)).astype(np.int64)]
        count = -(-self.pages // PAGES)
        picked = np.where((picked >= 0) & (picked < count), picked, number)
        target = picked * PAGES + (draw.units(3) * districts.HOSTS).astype(np.int64)
        for other in np.unique(picked[topical]).tolist():
            if other == number:
                continue
            there = self.at(other)
            chosen = topical & (picked == other) & bool(there.pools.size[OPEN])
            members = there.pools.members[: max(int(there.pools.size[OPEN]), 1)]
            place = self._popular(draw, np.full(len(within), len(members)))
            target = np.where(chosen, there.first + members[place], target)
        return np.where((picked == number) | (target >= self.pages), within, target)


class _Draw:
    """A hash for each link of a block."""

    def __init__(self, key: int, here: District, row: Ints, slot: Ints) -> None:
        self.key, self.row, self.slot = key, row, slot
        self.h = words(key, here.first + row, slot)

    def units(self, purpose: int) -> Floats:
        """Return a number in [0, 1) for each link."""
        return units(words(self.key ^ (16 * purpose), self.h))
