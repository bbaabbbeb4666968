"""Links of a page: targets and anchors by (seed, i), with the topical locality and misleading anchors of a preset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from crawler.worlds.synthetic.draw import Draw
from crawler.worlds.synthetic.plan import DISTRICT, District, Plan
from crawler.worlds.synthetic.presets import HARD, HOSTS, NOISE, Preset
from crawler.worlds.synthetic.templates import Host
from crawler.worlds.synthetic.text import Author

_CARRIERS = 0.15
"""Share of the irrelevant pages that have any links to relevant ones."""
_SHORT_ANCHORS = 0.25
_FOREIGN = 0.04
"""Share of links that leave the district."""


@dataclass(frozen=True, slots=True)
class PlannedLink:
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


def links_of(web: Web, plan: Plan) -> list[PlannedLink]:
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


def _article_links(web: Web, district: District, plan: Plan, draw: Draw) -> list[PlannedLink]:
    """Return links in the text and below it: first those of a planned tunnel, then random ones."""
    targets = [*_tunnel(district, plan)]
    share = _topical_share(web.preset, plan, draw)
    for _ in range(draw.between(6, 11)):
        targets.append(_near_language(web, plan, draw, _pool(web, district, plan, draw, share)))
    distinct = [t for t in dict.fromkeys(targets) if t != plan.index]
    half = draw.between(2, max(2, len(distinct) // 2))
    places = ["text" if row < half else "list" for row in range(len(distinct))]
    return [PlannedLink(t, _anchor(web, plan, t, draw), place) for t, place in zip(distinct, places, strict=True)]


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


def _listing(web: Web, plan: Plan, draw: Draw, targets: Sequence[int]) -> list[PlannedLink]:
    """Return the list of a hub or home page; some anchors of a hub are misleading."""
    lies = web.preset.misleading_anchors if plan.kind == "hub" else 0.0
    host, kinds = web.host(plan), ("rainstorm", *HARD, *NOISE)
    anchors = [
        web.author.short(draw.pick(kinds), host.lang, draw) if draw.unit() < lies else _anchor(web, plan, t, draw)
        for t in targets
    ]
    return [PlannedLink(t, anchor, "list") for t, anchor in zip(targets, anchors, strict=True) if t != plan.index]


def _menu(web: Web, district: District, plan: Plan) -> list[PlannedLink]:
    """Return the menu of a host: its home page, one closed page, four other sites; the same on all its pages."""
    draw = Draw(web.seed, "menu", district.number, plan.host)
    if not district.homes[plan.host : plan.host + 1]:
        return []
    words = web.author.texts.languages[web.host(plan).lang].menu
    closed = [PlannedLink(i, words[6], "menu") for i in district.private[plan.host][:1]]
    others = [h for h in draw.sample(district.homes, 5) if h != district.homes[plan.host]][:4]
    sites = [PlannedLink(h, web.host(web.plan(h)).title, "menu") for h in others]
    return [PlannedLink(district.homes[plan.host], words[0], "menu"), *closed, *sites]


def _side(web: Web, district: District, plan: Plan, draw: Draw) -> list[PlannedLink]:
    """Return three links of the sidebar: pages of the same host, mostly of the same kind."""
    mine = district.by_host[plan.host]
    same = [i for i in mine if district.plan(i).kind == plan.kind] if draw.unit() < 0.85 else []
    targets = draw.sample(same or mine, 3)
    return [PlannedLink(t, _anchor(web, plan, t, draw), "side") for t in targets if t != plan.index]


def _foot(web: Web, district: District, plan: Plan, draw: Draw) -> list[PlannedLink]:
    """Return one link to a random home page, as old sites have it."""
    home = draw.pick(district.homes)
    return [PlannedLink(home, web.host(web.plan(home)).title, "foot")] if home != plan.index else []
