"""A seeded web with labels: topical clusters, tunnels, hard negatives, noise, hubs and failures. It has no network.

Labels are assigned first and the text is generated from them, because a judge that is also the guide proves nothing
(algorithms.md, trap T48). Page i depends on (preset, seed, i) only; its links also on the number of pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import urlsplit

from crawler.model import Failure, Response
from crawler.worlds.errors import WorldError
from crawler.worlds.synthetic.draw import Draw
from crawler.worlds.synthetic.html import STYLES, Anchor, Sheet, render
from crawler.worlds.synthetic.links import PlannedLink, links_of
from crawler.worlds.synthetic.plan import CONTENT, DISTRICT, District, Plan, home_plan, host_name
from crawler.worlds.synthetic.presets import CELL, HOSTS, preset_of
from crawler.worlds.synthetic.templates import Host, templates
from crawler.worlds.synthetic.text import Author

_NUMBER = re.compile(r"[/_=](\d{1,12})(?:\.html)?$")
_SECTIONS = ("news", "detail", "article", "info")
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
            raise WorldError(f"a synthetic web has {_SMALLEST} to {_LARGEST} pages, not {self.pages}; change pages=")
        self.seed = seed
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
        return self._answer(url, plan) if plan else error_page(url, 404)

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
        """Four pages of mixed kind: a weather office's home page, a relevant page, a hub, an earthquake page."""
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
        stem, dash, number = netloc.removesuffix(".example").rpartition("-")
        numbered = bool(dash) and number.isdigit() and netloc not in self._base
        base, district = (f"{stem}.example", int(number) - 1) if numbered else (netloc, 0)
        row = self._base.get(base)
        if row is None or (numbered and district < 1) or district * DISTRICT + row >= self.pages:
            return None
        host = templates().hosts[row]
        return (district, host) if host_name(host, district) == netloc else None

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
        year, month, day = self.author.date(i)
        if host.path == "dated":
            return f"{base}/{year}/{month:02}{day:02}/{i}.html"
        if host.path == "flat":
            return f"{base}/t{year}{month:02}{day:02}_{i}.html"
        if host.path == "query":
            return f"{base}/view.php?tid={i}"
        return f"{base}/{Draw(self.seed, 'section', i).pick(_SECTIONS)}/{i}.html"

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
            anchors=tuple(self._anchor(link, plan, draw) for link in links_of(self, plan)),
            side_title=self.author.phrase("side_title", host, draw),
            footer=self.author.phrase("footer", host, Draw(self.seed, "footer", plan.index // DISTRICT, plan.host)),
            published=self.author.phrase("published", host, draw, facts) if host.dates == "text" else "",
        )
        return render(sheet, STYLES[plan.host % len(STYLES)])

    def _anchor(self, link: PlannedLink, plan: Plan, draw: Draw) -> Anchor:
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


def error_page(url: str, status: int) -> Response:
    """Return the response to a request that fails with 404 or 500."""
    title = {404: "404 Not Found", 500: "500 Internal Server Error"}[status]
    body = f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>\n"
    return Response(url, status, {"content-type": "text/html; charset=utf-8"}, body.encode())
