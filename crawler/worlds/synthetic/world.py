"""A seeded web with labels: topical clusters, tunnels, hard negatives, noise, hubs and failures. It has no network.

Labels are assigned first and the text is generated from them, because a judge that is also the guide proves nothing
(algorithms.md, trap T48). Page i depends on (preset, seed, i) only; its links also on the number of pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Protocol
from urllib.parse import urlsplit

from crawler.model import Failure, Response
from crawler.worlds.errors import WorldError
from crawler.worlds.synthetic.draw import Draw
from crawler.worlds.synthetic.plan import (
    CONTENT,
    DISTRICT,
    District,
    Plan,
    chosen_seeds,
    home_plan,
    host_name,
    path_of,
    site_of,
)
from crawler.worlds.synthetic.templates import CELL, HARD, HOSTS, NOISE, Host, Preset, preset_of, templates
from crawler.worlds.synthetic.text import Author, PageText

_NUMBER = re.compile(r"[/_=](\d{1,12})(?:\.html)?$")
_SMALLEST, _LARGEST = CELL, 100_000_000
_CRAWL_DELAY_HOST = "kepu.example"
_NO_ROBOTS_HOSTS = ("luntan.example", "home-kitchen.example")
_FRAGMENTS = 0.04
"""Share of links that carry a fragment."""


class SyntheticWorld:
    """The web of a preset. ``fetch`` makes one hop, as a request to a server."""

    name = "synthetic"

    def __init__(self, preset: str = "planted", pages: int | None = None, seed: int = 0) -> None:
        """Open a web; each page is generated when it is fetched.

        Args:
            preset: a name of ``PRESETS``.
            pages: number of URLs, 50 to 10^8; None for the default of the preset.
            seed: any integer.

        Raises:
            WorldError: an unknown preset or a number of pages out of range.
        """
        self.preset = preset_of(preset)
        self.pages = self.preset.pages if pages is None else pages
        if not _SMALLEST <= self.pages <= _LARGEST:
            raise WorldError("worlds.synthetic_web_pages_not", smallest=_SMALLEST, largest=_LARGEST, pages=self.pages)
        self.seed = seed
        self.shells = 0.0
        """Share of the hosts whose pages are made by scripts, so that a crawl sees none of their text and links."""
        self.start: tuple[int, str] | None = None
        """Number and kind (``STARTS``) of the seeds; None for the usual four."""
        self.author = Author(seed)
        self.districts = -(-self.pages // DISTRICT)
        self.district = lru_cache(maxsize=64)(self._district)
        self._base = {host.name: row for row, host in enumerate(templates().hosts)}

    def _district(self, number: int) -> District:
        return District(self.seed, self.preset, number, self.pages)

    def __len__(self) -> int:
        """Number of URLs, those that fail or redirect included."""
        return self.pages

    def close(self) -> None:
        """Do nothing; no resource is open."""

    def fetch(self, url: str) -> Response | Failure:
        """Return the response of the URL's host; a failure ``dns`` where there is no such host."""
        parts = urlsplit(url)
        site = self._site(parts.netloc) if parts.scheme == "http" else None
        if site is None:
            return Failure(url, "dns", f"{parts.scheme}://{parts.netloc} is not a host of this synthetic web")
        if parts.path == "/robots.txt":
            return self._robots(url, site[1])
        plan = self._find(url, *site)
        if plan is not None and self.shells and self._is_shell(parts.netloc):
            return _shell(url, parts.netloc)
        return self._answer(url, plan) if plan else error_page(url, 404)

    def _is_shell(self, site: str) -> bool:
        """Return whether scripts make all pages of a host."""
        return Draw(self.seed, "shell", site).unit() < self.shells

    def plan(self, index: int) -> Plan:
        """Return the plan of page ``index``, 0 <= index < len(self)."""
        if index % DISTRICT < HOSTS:  # links lead to home pages all over the web; their plan needs no district
            return home_plan(index)
        return self.district(index // DISTRICT).plan(index)

    def host(self, plan: Plan) -> Host:
        """Return the host of a page."""
        return templates().hosts[plan.host]

    def url(self, index: int) -> str:
        """Return the canonical URL of page ``index``."""
        return self._url(self.plan(index))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names of all hosts, in order of their home pages."""
        every = ((number, host) for number in range(self.districts) for host in templates().hosts)
        last = self.pages - (self.districts - 1) * DISTRICT
        names = [host_name(host, number) for number, host in every]
        return tuple(names if last >= HOSTS else names[: len(names) - HOSTS + last])

    @property
    def seeds(self) -> tuple[str, ...]:
        """The pages that ``start`` asks for, else four of mixed kind (``usual_seeds``).

        Raises:
            WorldError: the web has fewer such pages.
        """
        if self.start is None:
            return self.usual_seeds()
        draw = Draw(self.seed, self.preset.name, "start", self.start[1])
        return tuple(map(self.url, chosen_seeds(draw, self.districts, self.seed_pools, *self.start)))

    def seed_pools(self, number: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return the pages of a district from which seeds are chosen: relevant ones, and those near the topic."""
        here = self.district(number)
        return here.relevant, [page for kind in HARD for page in here.by_kind.get(kind, ())]

    def usual_seeds(self) -> tuple[str, ...]:
        """Return four pages of mixed kind: a weather office's home page, a relevant page, a hub, an earthquake page."""
        first = self.district(0)
        pools = (first.relevant, first.by_kind["hub"], first.by_kind["earthquake"])
        chosen = [0, *(next((i for i in pool if self.host(first.plan(i)).lang == "zh"), pool[0]) for pool in pools)]
        return tuple(self.url(i) for i in chosen)

    def plans(self) -> Iterator[Plan]:
        """Iterate over the plans of all pages, in order."""
        for number in range(self.districts):
            yield from self.district(number).plans

    def labels(self) -> dict[str, bool]:
        """Return the label of every URL: whether its page is relevant; a redirect has the label of its final page."""
        return {self._url(plan): self._label(plan) for plan in self.plans()}

    def relevant_urls(self) -> tuple[str, ...]:
        """Return the URLs whose label is True, in order of their pages."""
        return tuple(url for url, relevant in self.labels().items() if relevant)

    @property
    def planted_terms(self) -> tuple[str, ...]:
        """Terms that occur on relevant pages only, and that no shipped ontology has."""
        return tuple(templates().planted)

    def _label(self, plan: Plan) -> bool:
        end: Plan | None = plan
        for _ in range(5):
            if end is None or end.role != "redirect":
                break
            end = self.plan(end.partner) if end.partner < self.pages else None
        return end is not None and end.role in CONTENT and end.relevant

    def _site(self, netloc: str) -> tuple[int, Host] | None:
        """Return (district, host) of a host name; None for an unknown one."""
        hosts = templates().hosts
        found = site_of(netloc, self._base, hosts, DISTRICT, self.pages)
        return None if found is None else (found[0], hosts[found[1]])

    def _find(self, url: str, district: int, host: Host) -> Plan | None:
        """Return the plan of a URL, by the number at the end of its path; None for an unknown URL."""
        if url == f"http://{host_name(host, district)}/":
            return self.plan(district * DISTRICT + self._base[host.name])
        match = _NUMBER.search(url)
        index = int(match.group(1)) if match else self.pages
        plan = self.plan(index) if index < self.pages else None
        return plan if plan and self._url(plan) == url else None

    def _url(self, plan: Plan) -> str:
        host, i = self.host(plan), plan.index
        base = f"http://{host_name(host, i // DISTRICT)}"
        folder = {"home": "/", "private": f"/private/{i}.html", "duplicate": f"/m/{i}.html", "redirect": f"/go/{i}"}
        if plan.role in folder:
            return base + folder[plan.role]
        return base + path_of(host, i, lambda: self.author.date(i), lambda: Draw(self.seed, "section", i))

    def _answer(self, url: str, plan: Plan) -> Response:
        if plan.role == "redirect" and plan.partner < self.pages:
            return Response(
                url, 301, {"location": self.url(plan.partner), "content-type": "text/html; charset=utf-8"}, b""
            )
        if plan.role == "broken":
            return error_page(url, 500)
        if plan.role not in CONTENT:
            return error_page(url, 404)
        host = self.host(plan)
        declared = f"; charset={host.encoding}" if host.declared == "header" else ""
        shown = self._original(plan)
        return Response(url, 200, {"content-type": f"text/html{declared}"}, self._body(shown, host))

    def _original(self, plan: Plan) -> Plan:
        """Return the plan whose text a page shows: that of its original for a duplicate, even past the last page."""
        if plan.role != "duplicate":
            return plan
        if plan.partner < self.pages:
            return self.plan(plan.partner)
        return Plan(plan.partner, "page", plan.kind, plan.host)

    def _body(self, plan: Plan, host: Host) -> bytes:
        draw = Draw(self.seed, "furniture", plan.index)
        text = self.author.write(plan, host)
        year, month, day = text.date
        facts = {
            "host": host.title,
            "published": f"{year}-{month:02}-{day:02} {draw.between(7, 22):02}:{draw.between(0, 59):02}",
        }
        sheet = Sheet(
            host=host,
            text=text,
            anchors=tuple(self._anchor(link, plan, draw) for link in _links_of(self, plan)),
            side_title=self.author.phrase("side_title", host, draw),
            footer=self.author.phrase("footer", host, Draw(self.seed, "footer", plan.index // DISTRICT, plan.host)),
            published=self.author.phrase("published", host, draw, facts) if host.dates == "text" else "",
        )
        return render(sheet, STYLES[plan.host % len(STYLES)])

    def _anchor(self, link: _PlannedLink, plan: Plan, draw: Draw) -> Anchor:
        """Return the markup of a link: relative to the root within a host, as on real sites; some have a fragment."""
        site = f"http://{host_name(self.host(plan), plan.index // DISTRICT)}"
        url = self.url(link.target)
        href = url.removeprefix(site) if url.startswith(f"{site}/") else url
        return Anchor(href + ("#content" if draw.unit() < _FRAGMENTS else ""), link.anchor, link.place)

    def _robots(self, url: str, host: Host) -> Response:
        if host.name in _NO_ROBOTS_HOSTS:
            return error_page(url, 404)
        delay = "Crawl-delay: 1\n" if host.name == _CRAWL_DELAY_HOST else ""
        rules = f"# {host.name}\nUser-agent: *\n{delay}Disallow: /private/\nDisallow: /search\n"
        return Response(url, 200, {"content-type": "text/plain; charset=utf-8"}, rules.encode())


_SHELLS = ('div id="app"', 'div id="root"', 'div id="__next"', 'div id="__nuxt"', "app-root")
"""Root elements of the usual frameworks."""


def _shell(url: str, site: str) -> Response:
    """Return the page of a host whose scripts make it in a browser."""
    root = _SHELLS[sum(site.encode()) % len(_SHELLS)]
    body = (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{site}</title></head><body>'
        f'<{root}></{root.partition(" ")[0]}><script src="/static/js/app.3f9ac2d1.js"></script></body></html>\n'
    )
    return Response(url, 200, {"content-type": "text/html; charset=utf-8"}, body.encode())


def error_page(url: str, status: int) -> Response:
    """Return the response to a request that fails with 404 or 500."""
    title = {404: "404 Not Found", 500: "500 Internal Server Error"}[status]
    body = f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>\n"
    return Response(url, status, {"content-type": "text/html; charset=utf-8"}, body.encode())


# ---- links of a page: targets and anchors by (seed, i), with the topical locality and misleading anchors of a preset


_CARRIERS = 0.15
"""Share of the irrelevant pages that have any links to relevant ones."""
_SHORT_ANCHORS = 0.25
_FOREIGN = 0.04
"""Share of links that leave the district."""


@dataclass(frozen=True, slots=True)
class _PlannedLink:
    """A link before it is written. ``place`` is text, list, menu, side or foot."""

    target: int
    anchor: str
    place: str


class Web(Protocol):
    """The properties of a web that its links depend on."""

    seed: int
    preset: Preset
    pages: int
    author: Author

    def district(self, number: int) -> District:
        """Return a district by its number."""
        ...

    def plan(self, index: int) -> Plan:
        """Return the plan of a page."""
        ...

    def host(self, plan: Plan) -> Host:
        """Return the host of a page."""
        ...


def _links_of(web: Web, plan: Plan) -> list[_PlannedLink]:
    """Return all links of a page in page order."""
    draw = Draw(web.seed, web.preset.name, "links", plan.index)
    district = web.district(plan.index // DISTRICT)
    if plan.role == "home":
        content = _listing(web, plan, draw, draw.sample(district.by_host[plan.host], 24))
    elif plan.kind == "hub":
        content = _listing(web, plan, draw, draw.sample(district.any, draw.between(16, 28)))
    else:
        content = _article_links(web, district, plan, draw)
    return [*_menu(web, district, plan), *content, *_side(web, district, plan, draw), *_foot(web, district, plan, draw)]


def _article_links(web: Web, district: District, plan: Plan, draw: Draw) -> list[_PlannedLink]:
    """Return links in the text and below it: first those of a planned tunnel, then random ones."""
    targets = [*_tunnel(district, plan)]
    share = _topical_share(web.preset, plan, draw)
    for _ in range(draw.between(6, 11)):
        targets.append(_near_language(web, plan, draw, _pool(web, district, plan, draw, share)))
    distinct = [t for t in dict.fromkeys(targets) if t != plan.index]
    half = draw.between(2, max(2, len(distinct) // 2))
    places = ["text" if row < half else "list" for row in range(len(distinct))]
    return [_PlannedLink(t, _anchor(web, plan, t, draw), place) for t, place in zip(distinct, places, strict=True)]


def _tunnel(district: District, plan: Plan) -> list[int]:
    """Return the targets of a planned path: two open relevant pages -> gate (-> gate) -> hidden cluster."""
    gates, hidden = district.cell(plan.index, "gate"), district.cell(plan.index, "hidden")
    if plan.role == "hidden":
        return hidden
    if plan.role == "gate":
        return hidden[:2] if plan.index == gates[-1] else [gates[-1]]
    if plan.role == "page" and plan.relevant and gates:
        open_pages = [i for i in district.cell(plan.index, "page") if district.plan(i).relevant]
        return gates[:1] if plan.index in open_pages[:2] else []
    return []


def _topical_share(preset: Preset, plan: Plan, draw: Draw) -> float:
    """Return the probability that a content link of the page is drawn from the relevant pages."""
    if plan.relevant:
        return preset.relevant_to_relevant
    mean = preset.hard_to_relevant if plan.kind in HARD else preset.noise_to_relevant
    return mean / _CARRIERS if draw.unit() < _CARRIERS else 0.0


def _pool(web: Web, district: District, plan: Plan, draw: Draw, share: float) -> Sequence[int]:
    """Return the pages from which a content link draws its target."""
    if draw.unit() < _FOREIGN and (elsewhere := _foreign(web, district, plan, draw)):
        return elsewhere
    mark = draw.unit()
    if mark < share:
        return district.relevant or district.any
    if not plan.relevant:
        return district.by_kind.get(plan.kind, district.other) if mark < share + 0.35 else district.other
    return district.by_kind.get(draw.pick(HARD), district.any) if mark < share + 0.2 else district.any


def _foreign(web: Web, district: District, plan: Plan, draw: Draw) -> Sequence[int]:
    """Return pages of another district: relevant ones of a neighbour for a relevant page, else home pages."""
    districts = -(-web.pages // DISTRICT)
    if districts == 1:
        return ()
    if plan.relevant:
        return web.district((district.number + draw.pick((-1, 1))) % districts).relevant
    first = draw.below(districts) * DISTRICT
    return range(first, min(first + HOSTS, web.pages))


def _near_language(web: Web, plan: Plan, draw: Draw, pool: Sequence[int]) -> int:
    """Draw a target, with three tries for one in the language of the page."""
    lang = web.host(plan).lang
    for _ in range(2):
        target = draw.pick(pool)
        if web.host(web.plan(target)).lang == lang:
            return target
    return draw.pick(pool)


def _anchor(web: Web, plan: Plan, target: int, draw: Draw) -> str:
    """Return an anchor: mostly the target's title, else a short phrase about it or a generic word."""
    mark = draw.unit()
    if mark < web.preset.generic_anchors:
        return web.author.phrase("generic", web.host(plan), draw)
    meant = _meant(web, target)
    if mark < web.preset.generic_anchors + _SHORT_ANCHORS and meant.kind not in ("hub", "home"):
        return web.author.short(meant.kind, web.host(meant).lang, draw)
    return web.author.title(meant, web.host(meant))


def _meant(web: Web, target: int) -> Plan:
    """Return the page whose title an anchor uses: for redirects and duplicates that is the page they lead to."""
    plan = web.plan(target)
    for _ in range(3):
        if plan.partner < 0 or plan.partner >= web.pages:
            break
        plan = web.plan(plan.partner)
    return plan if plan.kind else web.plan(plan.index - plan.index % DISTRICT)


def _listing(web: Web, plan: Plan, draw: Draw, targets: Sequence[int]) -> list[_PlannedLink]:
    """Return the list of a hub or home page; some anchors of a hub are misleading."""
    lies = web.preset.misleading_anchors if plan.kind == "hub" else 0.0
    host, kinds = web.host(plan), ("rainstorm", *HARD, *NOISE)
    anchors = [
        web.author.short(draw.pick(kinds), host.lang, draw) if draw.unit() < lies else _anchor(web, plan, t, draw)
        for t in targets
    ]
    return [_PlannedLink(t, anchor, "list") for t, anchor in zip(targets, anchors, strict=True) if t != plan.index]


def _menu(web: Web, district: District, plan: Plan) -> list[_PlannedLink]:
    """Return the menu of a host: its home page, one closed page, four other sites; the same on all its pages."""
    draw = Draw(web.seed, "menu", district.number, plan.host)
    if not district.homes[plan.host : plan.host + 1]:
        return []
    words = web.author.texts.languages[web.host(plan).lang].menu
    closed = [_PlannedLink(i, words[6], "menu") for i in district.private[plan.host][:1]]
    others = [h for h in draw.sample(district.homes, 5) if h != district.homes[plan.host]][:4]
    sites = [_PlannedLink(h, web.host(web.plan(h)).title, "menu") for h in others]
    return [_PlannedLink(district.homes[plan.host], words[0], "menu"), *closed, *sites]


def _side(web: Web, district: District, plan: Plan, draw: Draw) -> list[_PlannedLink]:
    """Return three links of the sidebar: pages of the same host, mostly of the same kind."""
    mine = district.by_host[plan.host]
    same = [i for i in mine if district.plan(i).kind == plan.kind] if draw.unit() < 0.85 else []
    targets = draw.sample(same or mine, 3)
    return [_PlannedLink(t, _anchor(web, plan, t, draw), "side") for t in targets if t != plan.index]


def _foot(web: Web, district: District, plan: Plan, draw: Draw) -> list[_PlannedLink]:
    """Return one link to a random home page, as old sites have it."""
    home = draw.pick(district.homes)
    return [_PlannedLink(home, web.host(web.plan(home)).title, "foot")] if home != plan.index else []


# ---- HTML of a page in one of three styles: with sectioning elements, with a layout table, with plain blocks


_DECORATION = """<style>body{font:16px/1.6 sans-serif}nav a{margin:0 8px}</style>
<script>var page={hits:0};page.hits++;</script>"""
STYLES = ("sections", "table", "blocks")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link as it is written in the markup."""

    href: str
    text: str
    place: str


@dataclass(frozen=True)
class Sheet:
    """All contents of a page."""

    host: Host
    text: PageText
    anchors: tuple[Anchor, ...]
    side_title: str
    footer: str
    published: str
    """The line with the date, empty where the host has it elsewhere."""

    def at(self, place: str) -> list[Anchor]:
        """Return the links of a place."""
        return [a for a in self.anchors if a.place == place]


def render(sheet: Sheet, style: str) -> bytes:
    """Return the page in the encoding of its host.

    Args:
        sheet: contents of the page.
        style: one of ``STYLES``.
    """
    body = {"sections": _sections_body, "table": _table_body, "blocks": _blocks_body}[style](sheet)
    language = "zh-CN" if sheet.host.lang == "zh" else "en"
    head = f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n{_head(sheet)}\n</head>\n'
    return f"{head}<body>\n{body}\n</body>\n</html>\n".encode(sheet.host.encoding)


def _head(sheet: Sheet) -> str:
    first = sheet.text.sections[0].paragraphs[0][0]
    lines = [
        f'<meta charset="{"gb2312" if sheet.host.encoding == "gbk" else "utf-8"}">',
        f"<title>{escape(sheet.text.title)} - {escape(sheet.host.title)}</title>",
        f'<meta name="keywords" content="{escape(",".join(sheet.text.keywords))}">',
        f'<meta name="description" content="{escape(first)}">',
    ]
    if sheet.host.dates == "meta":
        year, month, day = sheet.text.date
        lines.append(f'<meta property="article:published_time" content="{year}-{month:02}-{day:02}T08:30:00+08:00">')
    return "\n".join([*lines, _DECORATION])


def _a(anchor: Anchor) -> str:
    return f'<a href="{escape(anchor.href)}">{escape(anchor.text)}</a>'


def _inline(sheet: Sheet) -> Iterator[str]:
    """Yield the links of the text, as remarks in brackets."""
    zh = sheet.host.lang == "zh"
    for anchor in sheet.at("text"):
        yield f"（参见{_a(anchor)}）" if zh else f" (see {_a(anchor)})"


def _paragraphs(sheet: Sheet, level: int) -> list[str]:
    """Return headings and paragraphs, with the links of the text at the ends of the first paragraphs."""
    remarks, lines, joint = _inline(sheet), [], "" if sheet.host.lang == "zh" else " "
    for section in sheet.text.sections:
        if section.heading:
            lines.append(f"<h{level}>{escape(section.heading)}</h{level}>")
        lines += [f"<p>{escape(joint.join(sentences))}{next(remarks, '')}</p>" for sentences in section.paragraphs]
    lines += [f"<p>{remark}</p>" for remark in remarks]
    return lines


def _items(anchors: Sequence[Anchor]) -> str:
    return "<ul>" + "".join(f"<li>{_a(a)}</li>" for a in anchors) + "</ul>" if anchors else ""


def _sections_body(sheet: Sheet) -> str:
    return "\n".join(
        [
            f"<header><nav>{''.join(_a(a) for a in sheet.at('menu'))}</nav></header>",
            f"<main><article><h1>{escape(sheet.text.title)}</h1>",
            *([f'<div class="info">{escape(sheet.published)}</div>'] if sheet.published else []),
            *_paragraphs(sheet, 2),
            f"{_items(sheet.at('list'))}</article></main>",
            f"<aside><h3>{escape(sheet.side_title)}</h3>{_items(sheet.at('side'))}</aside>",
            _footer(sheet),
        ]
    )


def _table_body(sheet: Sheet) -> str:
    menu = " | ".join(_a(a) for a in sheet.at("menu"))
    side = "<br>".join(_a(a) for a in sheet.at("side"))
    return "\n".join(
        [
            f'<div id="nav">{menu}</div>',
            f'<table width="960"><tr><td class="content"><h1>{escape(sheet.text.title)}</h1>',
            *([f'<span class="date">{escape(sheet.published)}</span>'] if sheet.published else []),
            *_paragraphs(sheet, 4),
            f"{_items(sheet.at('list'))}</td>",
            f'<td class="sidebar"><strong>{escape(sheet.side_title)}</strong><br>{side}</td></tr></table>',
            _footer(sheet),
        ]
    )


def _blocks_body(sheet: Sheet) -> str:
    return "\n".join(
        [
            f'<div class="menu">{_items(sheet.at("menu"))}</div>',
            f'<div id="main"><h1>{escape(sheet.text.title)}</h1>',
            *([f'<p class="date">{escape(sheet.published)}</p>'] if sheet.published else []),
            *_paragraphs(sheet, 3),
            f'<div class="related">{_items(sheet.at("list"))}</div></div>',
            f'<div class="side">{escape(sheet.side_title)}{_items(sheet.at("side"))}</div>',
            _footer(sheet),
        ]
    )


def _footer(sheet: Sheet) -> str:
    friends = "".join(_a(a) for a in sheet.at("foot"))
    extra = '<a href="javascript:void(0)">TOP</a> <a href="mailto:desk@example.com">desk@example.com</a>'
    return f'<footer class="footer">{friends} {extra} {escape(sheet.footer)}</footer>'
