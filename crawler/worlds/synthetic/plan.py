"""The plan of a synthetic web: role, kind, host and partners of page i from (seed, i), before any text is generated.

Pages are planned in cells of 50; 40 cells form a district that shares 20 hosts. So a web of any size is ready at once,
and the plan of a page does not depend on the number of pages. Only links do: none leads to a page that is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, zip_longest
from types import MappingProxyType

from crawler.worlds.errors import WorldError
from crawler.worlds.synthetic.draw import Draw
from crawler.worlds.synthetic.templates import CELL, DISTRICT_CELLS, HOSTS, Host, Preset, cell_roles, templates

DISTRICT = CELL * DISTRICT_CELLS
CONTENT = ("page", "hidden", "gate", "hub", "home", "duplicate", "private")
"""Roles with status 200."""
_SECTIONS = ("news", "detail", "article", "info")


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a URL.

    ``role``: page, hidden (relevant, reached through a gate only), gate, hub, home, duplicate, redirect, missing (404),
    broken (500), private (closed by robots.txt). ``partner`` is the original of a duplicate, the target of a redirect.
    """

    index: int
    role: str
    kind: str
    host: int
    """Row of its host among the 20 of its district."""
    partner: int = -1
    rank: int = -1
    """Place among the Chinese relevant pages of its cell; decides which terms are planted."""

    @property
    def relevant(self) -> bool:
        """The label, for pages with status 200."""
        return self.kind == "rainstorm"


def home_plan(index: int) -> Plan:
    """Return the plan of a home page; the first 20 pages of each district are home pages."""
    return Plan(index, "home", "home", index % DISTRICT)


def _cumulative_shares(kind: str) -> list[float]:
    """Return the cumulative shares of the hosts in the pages of a kind; without given shares they are equal."""
    shares = [host.share.get(kind, 0.0) for host in templates().hosts]
    return list(accumulate(shares if any(shares) else [1.0] * HOSTS))


def _cell_plan(seed: int, preset: Preset, cell: int) -> list[Plan]:
    """Plan pages 50 * cell .. 50 * cell + 49.

    Args:
        seed: seed of the web.
        preset: preset of the web.
        cell: number of the cell.
    """
    draw = Draw(seed, preset.name, "cell", cell)
    first, homes = cell * CELL, cell % DISTRICT_CELLS == 0
    plans = [home_plan(first + at) for at in range(HOSTS)] if homes else []
    roles = draw.sample(cell_roles(preset, cell, homes), CELL)
    shelter = draw.weighted(_cumulative_shares("rainstorm"))  # a hidden cluster stands on one host
    for role, kind in roles:
        host = shelter if role == "hidden" else draw.weighted(_cumulative_shares(kind))
        plans.append(Plan(first + len(plans), role, kind, host))
    return _ranked(_partnered(draw, plans, cell))


def _partnered(draw: Draw, plans: list[Plan], cell: int) -> list[Plan]:
    """Draw the originals of duplicates and the targets of redirects: a page, or in every second cell a redirect."""
    pages = [p for p in plans if p.role == "page"]
    redirects = [p for p in plans if p.role == "redirect"]
    partnered = list(plans)
    first = plans[0].index
    for plan in plans:
        if plan.role == "duplicate":
            original = draw.pick(pages)
            partnered[plan.index - first] = replace(
                plan, kind=original.kind, host=original.host, partner=original.index
            )
        elif plan.role == "redirect":
            earlier = redirects[redirects.index(plan) - 1]
            chained = cell == 0 or (cell % 2 == 1 and plan is not redirects[0])  # in cell 0 they go round in a loop
            target = earlier if chained else draw.pick(pages)
            partnered[plan.index - first] = replace(plan, partner=target.index)
    return partnered


def _ranked(plans: list[Plan]) -> list[Plan]:
    hosts, rank, done = templates().hosts, 0, []
    for plan in plans:
        planted = plan.relevant and plan.role in ("page", "hidden") and hosts[plan.host].lang == "zh"
        done.append(replace(plan, rank=rank) if planted else plan)
        rank += planted
    return done


class District:
    """Up to 2,000 neighbouring pages on 20 hosts, and the pools from which links choose their targets."""

    def __init__(self, seed: int, preset: Preset, number: int, pages: int) -> None:
        self.number = number
        self.first = number * DISTRICT
        last = min(pages, self.first + DISTRICT)
        cells = range(number * DISTRICT_CELLS, -(-last // CELL))
        self.plans = [p for cell in cells for p in _cell_plan(seed, preset, cell) if p.index < last]
        linkable = [p for p in self.plans if p.role not in ("hidden", "home", "private")]
        self.any = [p.index for p in linkable]
        self.homes = [p.index for p in self.plans if p.role == "home"]
        self.other = [p.index for p in linkable if not p.relevant]
        self.relevant = [p.index for p in linkable if p.relevant and p.role == "page"]
        self.private = self._by_host(p for p in self.plans if p.role == "private")
        self.by_host = self._by_host(linkable)
        self.by_kind: dict[str, list[int]] = {}
        for p in linkable:
            self.by_kind.setdefault(p.kind, []).append(p.index)

    def _by_host(self, plans: Iterable[Plan]) -> list[list[int]]:
        rows: list[list[int]] = [[] for _ in range(HOSTS)]
        for p in plans:
            rows[p.host].append(p.index)
        return rows

    def plan(self, index: int) -> Plan:
        """Return the plan of one of its pages."""
        return self.plans[index - self.first]

    def cell(self, index: int, role: str) -> list[int]:
        """Return the pages of one role in the cell of a page, in order of index."""
        start = index - index % CELL - self.first
        return [p.index for p in self.plans[start : start + CELL] if p.role == role]


def host_name(host: Host, district: int) -> str:
    """Return the name of a host in a district; from the second district on it has a number."""
    return host.name if district == 0 else host.name.replace(".example", f"-{district + 1}.example")


def site_of(
    netloc: str, rows: Mapping[str, int], hosts: Sequence[Host], district: int, pages: int
) -> tuple[int, int] | None:
    """Return the district and row of a host name; None for an unknown one.

    Args:
        netloc: the name.
        rows: name in the first district -> row.
        hosts: the hosts of a district.
        district: pages of a district.
        pages: pages of the web.
    """
    stem, dash, number = netloc.removesuffix(".example").rpartition("-")
    numbered = bool(dash) and number.isdigit() and netloc not in rows
    base, at = (f"{stem}.example", int(number) - 1) if numbered else (netloc, 0)
    row = rows.get(base)
    if row is None or at < 0 or at * district + row >= pages:
        return None
    return (at, row) if host_name(hosts[row], at) == netloc else None


def path_of(host: Host, index: int, date: Callable[[], tuple[int, int, int]], draw: Callable[[], Draw]) -> str:
    """Return the path of a page in the style of its host; date and section are drawn where it has them."""
    if host.path == "query":
        return f"/view.php?tid={index}"
    if host.path == "section":
        return f"/{draw().pick(_SECTIONS)}/{index}.html"
    year, month, day = date()
    return (
        f"/{year}/{month:02}{day:02}/{index}.html"
        if host.path == "dated"
        else f"/t{year}{month:02}{day:02}_{index}.html"
    )


# ---- the seeds of a web, by number and kind


STARTS = MappingProxyType(
    {
        "relevant": "relevant pages",
        "results": "result pages of a search: three of four are relevant, the others near the topic",
        "mixed": "half of each, the relevant ones first",
    }
)
"""Kind of seeds -> which pages they are."""
_PRECISION = 0.75
"""Share of relevant pages among result pages of a search [R]."""


def chosen_seeds(
    draw: Draw, districts: int, pools: Callable[[int], tuple[Sequence[int], Sequence[int]]], number: int, kind: str
) -> list[int]:
    """Return the pages from which a crawl begins, from all over the web.

    Args:
        draw: the random numbers.
        districts: number of districts of the web.
        pools: returns the relevant pages of a district, and those near the topic.
        number: number of seeds.
        kind: one of ``STARTS``.

    Raises:
        WorldError: the web has fewer pages of the kind.
    """
    by_hand = {"relevant": number, "results": 0, "mixed": -(-number // 2)}[kind]
    relevant = by_hand + round((number - by_hand) * _PRECISION)
    spread = draw.sample(range(districts), number)

    def drawn(near: int, k: int) -> list[int]:
        of_districts = [draw.sample(pools(district)[near], k) for district in spread]
        return [page for row in zip_longest(*of_districts) for page in row if page is not None][:k]

    chosen = [*drawn(0, relevant), *drawn(1, number - relevant)]
    if len(chosen) < number:
        raise WorldError("worlds.web_pages_kind_not", n_chosen=len(chosen), kind=kind, number=number)
    results = chosen[by_hand:]
    return [*chosen[:by_hand], *draw.sample(results, len(results))]
