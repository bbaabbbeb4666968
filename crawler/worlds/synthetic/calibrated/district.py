"""The plan of 10,000 pages: role, kind, community, host, degree of each, from (preset, seed, number of the district).

A web is a row of districts. Each is planned as a whole by arrays in a few milliseconds, so a web of any size is open at
once. Labels are part of the plan; no text is needed for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from crawler.worlds.synthetic.calibrated.hashing import chosen, key_of, shuffled, units, words, zipf
from crawler.worlds.synthetic.calibrated.parameters import Parameters

PAGES = 10_000
"""Pages of a district."""
HOSTS = 40
"""Hosts of a district; its first 40 pages are their home pages."""
DEPTHS = 5
"""Steps from the core of a community to its edge."""
_HIDDEN_CLUSTER = 3
"""Pages of a hidden cluster."""
ROLES = ("page", "hidden", "gate", "hub", "home")
PAGE, HIDDEN, GATE, HUB, HOME = range(5)
SILENT, WEAK, FULL = range(3)
"""How much a page says of the topic."""
# Degrees as multiples of the median, at quantiles of pages; between them the degrees are linear. The shape is that of
# wikispeedia: p10 .4, p90 2.5, p99 6.3, maximum 14 times the median.
_QUANTILES = np.array([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 0.99, 1.0])
_DEGREES = np.array([0.1, 0.4, 0.65, 1.0, 1.65, 2.5, 4.2, 6.3, 14.0])
_HUB_LINKS = 4.0
"""Links of a hub, as a multiple of the median degree, before its own draw."""
_TOPICAL_HOSTS = 0.5
"""Share of a community's pages that stand on its own host."""
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Kinds:
    """Numbers of the kinds of pages: 0 is the topic, then the near ones, then the others."""

    near: int
    others: int

    @property
    def count(self) -> int:
        """Number of all kinds, the topic included."""
        return 1 + self.near + self.others


@dataclass(frozen=True, eq=False)
class Pools:
    """Pages from which links choose their targets, the most popular first.

    Attributes:
        members: pages of all pools, by their place in the district.
        start: first member of each pool.
        size: number of members of each pool.
    """

    members: Ints
    start: Ints
    size: Ints


@dataclass(frozen=True, eq=False)
class District:
    """Plans of the pages of a district; all arrays have a row for each page.

    Attributes:
        first: index of its first page.
        role, kind: numbers of ``ROLES`` and of the kind of page; hubs and home pages are of no kind, -1.
        community: community of a relevant page, else -1. Those of hidden clusters follow the open ones.
        host: row of the host.
        depth: steps of a relevant page from the core of its community, 0 .. 4.
        voice: how much the page says of the topic: ``SILENT``, ``WEAK``, ``FULL``.
        degree: content links of the page.
        own: pool of pages of its kind or community; by_host: pool of its host.
        own_rank, host_rank: its places in these pools, -1 outside of them.
        pools: the pools: open relevant pages, all other pages, kinds, communities, hosts, other pages of hosts.
        extra: page -> targets of planned links, those of tunnels.
    """

    first: int
    role: Ints
    kind: Ints
    community: Ints
    host: Ints
    depth: Ints
    voice: Ints
    degree: Ints
    own: Ints
    own_rank: Ints
    by_host: Ints
    host_rank: Ints
    pools: Pools
    extra: dict[int, list[int]]

    def __len__(self) -> int:
        """Number of its pages."""
        return len(self.role)

    @property
    def relevant(self) -> NDArray[np.bool_]:
        """The labels."""
        return np.equal(self.kind, 0)


OPEN, OTHERS, FIRST_KIND = 0, 1, 2
"""Numbers of pools: relevant pages that are not hidden, all others, those of the first kind that is not the topic."""


def plan(seed: int, preset: str, parameters: Parameters, kinds: Kinds, number: int, pages: int) -> District:
    """Plan a district.

    Args:
        seed: seed of the web.
        preset: name of the preset.
        parameters: its parameters.
        kinds: number of kinds.
        number: number of the district.
        pages: number of pages of the web; links lead to pages that are there.
    """
    keys = _Keys(seed, preset, number)
    role, kind, community, depth = _roles(keys, parameters, kinds)
    host = _hosts(keys, parameters, kind, community)
    size = min(PAGES, pages - number * PAGES)
    cut = [array[:size] for array in (role, kind, community, depth, host)]
    role, kind, community, depth, host = cut
    order = keys.order[keys.order < size]
    pools, own, by_host, own_rank, host_rank = _pools(order, kinds, role, kind, community, host)
    return District(
        first=number * PAGES, role=role, kind=kind, community=community, host=host, depth=depth,
        voice=_voices(keys, parameters, kinds, kind)[:size], degree=_degrees(keys, parameters, role),
        own=own, own_rank=own_rank, by_host=by_host, host_rank=host_rank, pools=pools,
        extra=_tunnels(parameters, order, role, community),
    )  # fmt: skip


class _Keys:
    """Hashes of the pages of a district, one for each purpose, and a random order of the pages, homes first."""

    def __init__(self, seed: int, preset: str, number: int) -> None:
        self.seed, self.preset, self.number = seed, preset, number
        self.index = np.arange(number * PAGES, (number + 1) * PAGES, dtype=np.int64)
        self.order = np.concatenate(
            [np.arange(HOSTS), HOSTS + shuffled(self.key("order"), self.index[0], PAGES - HOSTS)]
        )

    def key(self, purpose: str) -> int:
        return key_of(self.seed, self.preset, purpose, self.number)

    def units(self, purpose: str) -> NDArray[np.float64]:
        return units(words(key_of(self.seed, self.preset, purpose), self.index))

    def chosen(self, purpose: str, weights: Ints) -> Ints:
        return chosen(weights, words(key_of(self.seed, self.preset, purpose), self.index))


def _roles(keys: _Keys, parameters: Parameters, kinds: Kinds) -> tuple[Ints, Ints, Ints, Ints]:
    """Return role, kind, community and depth of all pages."""
    role, kind = np.zeros(PAGES, dtype=np.int64), np.full(PAGES, -1, dtype=np.int64)
    community, depth = np.full(PAGES, -1, dtype=np.int64), np.zeros(PAGES, dtype=np.int64)
    relevant = round(parameters.base_rate * PAGES)
    sizes = _community_sizes(parameters, relevant)
    clusters = _hidden_clusters(parameters, relevant)
    after, place = np.split(keys.order, [HOSTS])[1], 0
    role[keys.order[:HOSTS]] = HOME
    for number, size in enumerate([*sizes, *clusters]):
        members = after[place : place + size]
        kind[members], community[members] = 0, number
        role[members] = PAGE if number < len(sizes) else HIDDEN
        depth[members] = np.arange(size) * DEPTHS // max(size, 1)
        place += size
    gates, hubs = int(parameters.tunnels) * len(clusters), round(parameters.hubs * PAGES)
    role[after[place : place + gates]] = GATE
    role[after[place + gates : place + gates + hubs]] = HUB
    rest = np.concatenate([after[place : place + gates], after[place + gates + hubs :]])
    near = keys.units("near")[rest] < parameters.near if kinds.near else np.zeros(len(rest), dtype=np.bool_)
    draw = keys.units("kind")[rest]
    kind[rest] = np.where(
        near, 1 + (draw * kinds.near).astype(np.int64), 1 + kinds.near + (draw * kinds.others).astype(np.int64)
    )
    return role, kind, community, depth


def _community_sizes(parameters: Parameters, relevant: int) -> list[int]:
    """Return the sizes of the communities of a district, the largest first; their sum is that of the open pages."""
    open_pages = relevant - sum(_hidden_clusters(parameters, relevant))
    weights = zipf(int(parameters.communities), parameters.community_skew)
    bounds = np.cumsum(weights) * open_pages // weights.sum()
    return [int(size) for size in np.diff(bounds, prepend=0)]


def _hidden_clusters(parameters: Parameters, relevant: int) -> list[int]:
    """Return the sizes of the hidden clusters of a district."""
    hidden = round(parameters.tunnelled * relevant) if parameters.tunnels else 0
    return [min(_HIDDEN_CLUSTER, hidden - at) for at in range(0, hidden, _HIDDEN_CLUSTER)]


def _hosts(keys: _Keys, parameters: Parameters, kind: Ints, community: Ints) -> Ints:
    """Return the hosts: large and small ones; those of relevant pages also by worth, half of a community on one."""
    sizes = zipf(HOSTS, parameters.hosts)[shuffled(keys.key("sizes"), 0, HOSTS)]
    worth = zipf(HOSTS, parameters.host_worth)[shuffled(keys.key("worth"), 0, HOSTS)]
    valued = np.maximum(sizes * worth // 10**6, 1)
    home = chosen(valued, words(keys.key("home of a community"), np.arange(community.max() + 2, dtype=np.int64)))
    host = keys.chosen("host", sizes)
    of_topic = np.where(keys.units("at home") < _TOPICAL_HOSTS, home[community], keys.chosen("host by worth", valued))
    host = np.where(kind == 0, of_topic, host)
    host[:HOSTS] = np.arange(HOSTS)
    return host


def _voices(keys: _Keys, parameters: Parameters, kinds: Kinds, kind: Ints) -> Ints:
    """Return how much the pages say of the topic; ``kind`` may have fewer rows than the district."""
    draw = keys.units("voice")[: len(kind)]
    near = (kind > 0) & (kind <= kinds.near)
    spoken = np.where(near, draw < parameters.near_words, (kind > 0) & (draw < parameters.mentions))
    relevant = np.where(draw < parameters.weak, WEAK, FULL)
    return np.where(kind == 0, relevant, np.where(spoken, np.where(near, FULL, WEAK), SILENT)).astype(np.int64)


def _degrees(keys: _Keys, parameters: Parameters, role: Ints) -> Ints:
    """Return the number of content links: that of all links without those of the menu; none for dead ends."""
    multiple = _between(keys.units("degree")[: len(role)])
    spread = np.where(multiple > 1, 1 + (multiple - 1) * parameters.out_spread, multiple)
    spread = np.where(role == HUB, spread + _HUB_LINKS, spread)
    degree = np.maximum((spread * parameters.out_degree).astype(np.int64) - int(parameters.menu), 1)
    dead = (keys.units("dead end")[: len(role)] < parameters.dead_ends) & (role == PAGE)
    return np.where(dead, 0, degree)


def _between(u: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the degrees at quantiles; numpy's own interpolation may round differently on other machines."""
    row = np.searchsorted(_QUANTILES, u, side="right") - 1
    slope = (_DEGREES[row + 1] - _DEGREES[row]) / (_QUANTILES[row + 1] - _QUANTILES[row])
    degrees: NDArray[np.float64] = _DEGREES[row] + slope * (u - _QUANTILES[row])
    return degrees


def _pools(
    order: Ints, kinds: Kinds, role: Ints, kind: Ints, community: Ints, host: Ints
) -> tuple[Pools, Ints, Ints, Ints, Ints]:
    """Return the pools, and of each page its own pool, that of its host, and its places in both."""
    visible = order[(role[order] != HIDDEN) & (role[order] != HOME)]
    communities = int(community.max()) + 1
    first_community = FIRST_KIND + kinds.count - 1
    first_host = first_community + communities
    other = visible[kind[visible] != 0]
    own = np.where(kind == 0, first_community + community, np.where(kind > 0, FIRST_KIND + kind - 1, OTHERS))
    by_host = first_host + host
    lists: list[Ints] = [visible[kind[visible] == 0], other]
    lists += _grouped(other, kind[other] - 1, kinds.count - 1)
    relevant = order[kind[order] == 0]
    lists += _grouped(relevant, community[relevant], communities)
    lists += _grouped(visible, host[visible], HOSTS)
    lists += _grouped(other, host[other], HOSTS)
    size = np.array([len(one) for one in lists], dtype=np.int64)
    start = np.cumsum(size) - size
    members = np.concatenate(lists)
    own_rank, host_rank = np.full(len(role), -1, dtype=np.int64), np.full(len(role), -1, dtype=np.int64)
    place = np.arange(len(members)) - np.repeat(start, size)
    ranked = slice(start[FIRST_KIND], start[first_host])
    own_rank[members[ranked]] = place[ranked]
    ranked = slice(start[first_host], start[first_host + HOSTS])
    host_rank[members[ranked]] = place[ranked]
    return Pools(members, start, size), own, by_host, own_rank, host_rank


def _grouped(pages: Ints, group: Ints, groups: int) -> Sequence[Ints]:
    """Return the pages of each group, in their order; a negative group is left out."""
    kept = pages[group >= 0]
    of = group[group >= 0]
    order = np.argsort(of, kind="stable")
    return np.split(kept[order], np.cumsum(np.bincount(of, minlength=groups))[:-1])


def _tunnels(parameters: Parameters, order: Ints, role: Ints, community: Ints) -> dict[int, list[int]]:
    """Return the links of the tunnels: two open relevant pages -> gate -> .. -> gate -> hidden cluster."""
    length = int(parameters.tunnels)
    gates = order[role[order] == GATE].tolist()
    doors = order[(role[order] == PAGE) & (community[order] >= 0)].tolist()
    hidden = order[role[order] == HIDDEN]
    links: dict[int, list[int]] = {}
    for row, cluster in enumerate(np.unique(community[hidden]).tolist()):
        chain = gates[row * length : (row + 1) * length]
        members = hidden[community[hidden] == cluster].tolist()
        if not (length and len(chain) == length and doors):
            continue
        for door in {doors[(7 * row) % len(doors)], doors[(7 * row + 3) % len(doors)]}:
            links.setdefault(door, []).append(chain[0])
        for gate, following in pairwise(chain):
            links.setdefault(gate, []).append(following)
        links.setdefault(chain[-1], []).extend(members)
        for one, following in zip(members, members[1:] + members[:1], strict=True):
            links.setdefault(one, []).append(following)
    return links
