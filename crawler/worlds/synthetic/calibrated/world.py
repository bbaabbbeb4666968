"""A calibrated web: each page is generated when it is fetched, from (preset, seed, i); no page is stored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from crawler.model import Failure, Response
from crawler.worlds.errors import WorldError
from crawler.worlds.synthetic.calibrated import district as districts
from crawler.worlds.synthetic.calibrated.district import HOSTS, OPEN, OTHERS, PAGES, ROLES, District, Ints, Kinds
from crawler.worlds.synthetic.calibrated.hashing import Stream, key_of, units, words
from crawler.worlds.synthetic.calibrated.parameters import CALIBRATED, Parameters, changed
from crawler.worlds.synthetic.calibrated.text import PagePlan, Writer
from crawler.worlds.synthetic.calibrated.text import hosts as site_hosts
from crawler.worlds.synthetic.calibrated.text import topic as topic_of
from crawler.worlds.synthetic.plan import Plan, host_name, path_of, site_of
from crawler.worlds.synthetic.templates import Host, Preset
from crawler.worlds.synthetic.world import STYLES, Anchor, Sheet, SyntheticWorld, error_page, render

_NUMBER = re.compile(r"[/_=](\d{1,12})(?:\.html)?$")
_SMALLEST, _LARGEST = 1_000, 100_000_000
_HOT = 4
"""Links of a sidebar lead to this many times its links: the most popular pages of the host."""


class CalibratedWorld(SyntheticWorld):
    """The web of a calibrated preset. ``fetch`` makes one hop, as a request to a server."""

    def __init__(
        self, preset: str, pages: int | None = None, seed: int = 0, parameters: Mapping[str, float] | None = None
    ) -> None:
        """Open a web.

        Args:
            preset: a name of ``CALIBRATED``.
            pages: number of URLs, 1,000 to 10^8; None for the default of the preset.
            seed: any integer.
            parameters: parameters to change.

        Raises:
            WorldError: an unknown parameter, or a number out of range.
        """
        chosen = CALIBRATED[preset]
        self.pages = chosen.pages if pages is None else pages
        if not _SMALLEST <= self.pages <= _LARGEST:
            raise WorldError(
                "worlds.web_pages_not_change", preset=preset, smallest=_SMALLEST, largest=_LARGEST, pages=self.pages
            )
        self.preset = Preset(preset, chosen.title, self.pages)
        self.seed = seed
        self.start = None
        self.parameters = changed(preset, parameters or {})
        self.topic = topic_of(preset)
        self.kinds = Kinds(len(self.topic.near), len(self.topic.others))
        self.districts = -(-self.pages // PAGES)
        self.writer = Writer(seed, preset, self.parameters, self.topic)
        self.area = lru_cache(maxsize=128)(self._area)
        self._linker = _Linker(seed, preset, self.parameters, self.kinds, self.pages, self.area)
        self.block = lru_cache(maxsize=256)(self._linker.block)
        self._menu = lru_cache(maxsize=4096)(self._menu_of)
        self._line = lru_cache(maxsize=65536)(self._line_of)
        self._base = {host.name: row for row, host in enumerate(site_hosts())}
        self._names = {0: "topic"} | dict(enumerate((*self.topic.near, *self.topic.others), 1))

    def _area(self, number: int) -> District:
        return districts.plan(self.seed, self.preset.name, self.parameters, self.kinds, number, self.pages)

    def plan(self, index: int) -> PagePlan:
        """Return the plan of page ``index``, 0 <= index < len(self)."""
        here = self.area(index // PAGES)
        row = index % PAGES
        kind = int(here.kind[row])
        role = ROLES[here.role[row]]
        return PagePlan(
            index, role, self._names.get(kind, role), int(here.host[row]), kind_row=kind,
            community=int(here.community[row]), depth=int(here.depth[row]), voice=int(here.voice[row]),
        )  # fmt: skip

    def host(self, plan: Plan) -> Host:
        """Return the host of a page."""
        return site_hosts()[plan.host]

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names of all hosts, in order of their home pages."""
        return tuple(host_name(host, number) for number in range(self.districts) for host in self._homes(number))

    def _homes(self, number: int) -> tuple[Host, ...]:
        return site_hosts()[: self.pages - number * PAGES]

    def seed_pools(self, number: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return the pages of a district from which seeds are chosen: open relevant ones; near ones with its words."""
        here, kinds = self.area(number), self.kinds
        start, size = int(here.pools.start[OPEN]), int(here.pools.size[OPEN])
        near = (here.kind > 0) & (here.kind <= kinds.near) & (here.voice == districts.FULL)
        relevant = here.pools.members[start : start + size]
        return (here.first + relevant).tolist(), (here.first + np.flatnonzero(near)).tolist()

    def usual_seeds(self) -> tuple[str, ...]:
        """Return four pages: a home page, a relevant page of the largest community, a hub, a page of a near kind."""
        here = self.area(0)
        relevant = here.pools.members[here.pools.start[districts.OPEN]]
        hub = next((i for i in range(HOSTS, len(here)) if here.role[i] == districts.HUB), 1)
        near = next((i for i in range(HOSTS, len(here)) if here.kind[i] == 1), 2)
        return tuple(self.url(int(i)) for i in (0, relevant, hub, near))

    def plans(self) -> Iterator[PagePlan]:
        """Iterate over the plans of all pages, in order."""
        return (self.plan(index) for index in range(self.pages))

    def labels(self) -> dict[str, bool]:
        """Return the label of every URL: whether its page is relevant."""
        return {self.url(index): bool(here) for index, here in enumerate(self._flags())}

    def relevant_urls(self) -> tuple[str, ...]:
        """Return the URLs whose label is True, in order of their pages. No text is generated for them."""
        return tuple(self.url(index) for index in self.relevant_pages())

    def relevant_pages(self) -> Iterator[int]:
        """Iterate over the relevant pages, in order."""
        for number in range(self.districts):
            here = self.area(number)
            yield from (here.relevant.nonzero()[0] + here.first).tolist()

    def _flags(self) -> Iterator[bool]:
        for number in range(self.districts):
            yield from self.area(number).relevant.tolist()

    @property
    def planted_terms(self) -> tuple[str, ...]:
        """Terms that occur on relevant pages only."""
        return tuple(self.topic.terms)

    def targets(self, index: int) -> list[int]:
        """Return the pages that a page links to, those of its menu included; no text is generated for it."""
        return list(dict.fromkeys([*(target for target, _, _ in self._menu_links(index)), *self._content(index)]))

    def _content(self, index: int) -> dict[int, int]:
        """Return the targets of the content links with the kinds of their anchors."""
        targets, anchors = self.block(index // _BLOCK).of(index)
        found = dict(zip(targets, anchors, strict=True))
        found.pop(index, None)
        here = self.area(index // PAGES)
        for target in here.extra.get(index - here.first, ()):
            found.setdefault(here.first + target, _NAMING)
        return found

    def _menu_links(self, index: int) -> tuple[tuple[int, str, str], ...]:
        """Return target, anchor and place of the links of menu and sidebar; none on a dead end."""
        here, row = self.area(index // PAGES), index % PAGES
        dead = here.degree[row] == 0
        return (
            () if dead else tuple(link for link in self._menu(index // PAGES, int(here.host[row])) if link[0] != index)
        )

    def _menu_of(self, number: int, host: int) -> tuple[tuple[int, str, str], ...]:
        """Return the menu of a host: its home page, other sites; and its sidebar: its most popular pages."""
        count = int(self.parameters.menu)
        if not count or number * PAGES + host >= self.pages:
            return ()
        here, site = self.area(number), site_hosts()[host]
        draw = Stream(self.writer.stream("furniture", number).below(1 << 63), host)
        homes = [row for row in draw.sample(range(min(HOSTS, len(here))), count) if row != host]
        menu = [(here.first + host, self.writer.languages[site.lang].menu[0], "menu")]
        menu += [(here.first + row, site_hosts()[row].title, "menu") for row in homes[: count // 2]]
        pool = int(here.by_host[host]) + HOSTS
        start, size = int(here.pools.start[pool]), int(here.pools.size[pool])
        popular = here.pools.members[start : start + min(size, _HOT * count)].tolist()
        side = draw.sample(popular, count - len(menu))
        named = [(here.first + row, self._line(here.first + row)[1], "side") for row in side]
        return tuple([*menu, *named][:count])

    def _line_of(self, index: int) -> tuple[str, str]:
        """Return URL and title of a page, which other pages use for their links to it."""
        plan = self.plan(index)
        return self._address(plan), self.writer.title(plan, self.host(plan))

    def url(self, index: int) -> str:
        """Return the canonical URL of page ``index``."""
        return self._address(self.plan(index))

    def _address(self, plan: PagePlan) -> str:
        host, i = self.host(plan), plan.index
        base = f"http://{host_name(host, i // PAGES)}"
        if plan.role == "home":
            return f"{base}/"
        return base + path_of(host, i, lambda: self.writer.date(plan), lambda: self.writer.stream("furniture", i))

    def fetch(self, url: str) -> Response | Failure:
        """Return the response of the URL's host; a failure ``dns`` where there is no such host."""
        parts = urlsplit(url)
        site = site_of(parts.netloc, self._base, site_hosts(), PAGES, self.pages) if parts.scheme == "http" else None
        if site is None:
            return Failure(url, "dns", f"{parts.scheme}://{parts.netloc} is not a host of this synthetic web")
        if parts.path == "/robots.txt":
            rules = f"# {parts.netloc}\nUser-agent: *\nDisallow: /search\n"
            return Response(url, 200, {"content-type": "text/plain; charset=utf-8"}, rules.encode())
        match = _NUMBER.search(url)
        index = (
            site[0] * PAGES + site[1]
            if parts.path == "/" and not parts.query
            else int(match[1])
            if match
            else self.pages
        )
        if index >= self.pages or self._line(index)[0] != url:
            return error_page(url, 404)
        plan = self.plan(index)
        host = self.host(plan)
        return Response(url, 200, {"content-type": f"text/html; charset={host.encoding}"}, self._page(plan, host))

    def _page(self, plan: PagePlan, host: Host) -> bytes:
        site = f"http://{host_name(host, plan.index // PAGES)}"
        text, draw = self.writer.write(plan, host), self.writer.stream("anchor", plan.index)
        year, month, day = text.date
        language = self.writer.languages[host.lang]
        anchors = [self._markup(site, target, said, place) for target, said, place in self._menu_links(plan.index)]
        content = self._content(plan.index)
        half = 2 + draw.below(max(1, len(content) // 2))
        for row, (target, kind) in enumerate(content.items()):
            place = "text" if row < half and plan.role not in ("hub", "home") else "list"
            anchors.append(self._markup(site, target, self._said(target, kind, host, draw), place))
        sheet = Sheet(
            host=host,
            text=text,
            anchors=tuple(anchors),
            side_title=draw.pick(language.side_title),
            footer=f"{host.title} 000-{100 + plan.host}",
            published=f"{year}-{month:02}-{day:02} {7 + draw.below(16):02}:{draw.below(60):02}"
            if host.dates == "text"
            else "",
        )
        return render(sheet, STYLES[plan.host % len(STYLES)])

    def _markup(self, site: str, target: int, said: str, place: str) -> Anchor:
        """Return the markup of a link: relative to the root within a host, as on real sites."""
        url = self._line(target)[0]
        return Anchor(url[len(site) :] if url.startswith(f"{site}/") else url, said, place)

    def _said(self, target: int, kind: int, host: Host, draw: Stream) -> str:
        """Return an anchor of its kind."""
        if kind == _NAMING:
            return self._line(target)[1]
        if kind == _EMPTY:
            return ""
        if kind == _GENERIC:
            return self.writer.generic(host.lang, draw)
        if kind == _MISLEADING:
            return self.writer.misleading(host.lang, draw)
        plan = self.plan(target)
        return self.writer.anchor(plan, self.host(plan), draw)


# ---- content links of a block of pages: targets and kinds of anchors, by arrays


_BLOCK = 500
"""Pages whose links are drawn together."""
_NAMING, SHORT, _GENERIC, _MISLEADING, _EMPTY = range(5)
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


class _Linker:
    """Draws the links of blocks of pages."""

    def __init__(
        self, seed: int, preset: str, parameters: Parameters, kinds: Kinds, pages: int, at: Callable[[int], District]
    ) -> None:
        self.parameters, self.kinds, self.pages, self.at = parameters, kinds, pages, at
        self.key = key_of(seed, preset, "links")

    def block(self, number: int) -> Block:
        """Draw the links of pages 500 * number .. 500 * number + 499."""
        first = number * _BLOCK
        here = self.at(first // PAGES)
        low = first - here.first
        rows = np.arange(low, min(low + _BLOCK, len(here)), dtype=np.int64)
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
