"""Figures of a web that decide how hard it is to crawl: reach, base rate, locality, anchors, degrees, tunnels.

Locality is the topical locality of B. D. Davison (2000), SIGIR: whether a link of a relevant page leads to a relevant
page more often than any link does.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from crawler.metrics import MILESTONES
from crawler.model import World
from crawler.pages.links import ANCHOR_JOIN
from crawler.scope import Scope
from crawler.worlds.synthetic import SyntheticWorld
from ontocrawl.errors import Option, UsageError
from ontocrawl.lab import web
from ontocrawl.lab.oracle import oracle
from ontocrawl.lab.web import Web
from ontocrawl.runs import crawl_setup
from ontocrawl.runs import seeds as seeding

_QUANTILES = (0.1, 0.5, 0.9, 0.99, 1.0)
_KNEE = 0.95
"""The knee is where an oracle has found this share of the relevant pages that can be reached."""
SHARED_BY = 5
"""Number of different targets from which a text says nothing of any of them, such as "more" and "next"."""
_SITE = re.compile(r"\s*(?:[-|_–—·]|$)")
_SPACE = re.compile(r"\s+")


def figures(web: Web) -> dict[str, Any]:
    """Return the figures of a web as JSON values; what needs labels is None without them.

    Args:
        web: the web.

    Returns:
        A dictionary with

        * pages, failed, complete, links, hosts; labelled, relevant: URLs with the label, and pages read that have it
        * base_rate: share of relevant pages; reachable: share of the labelled URLs that were read
        * locality: share of links to relevant pages, of those of relevant pages and of those of others
        * anchors: shares of the links whose text is the target's title, names it, stands on links to five pages or
          more, or is empty
        * out_degree, in_degree, distance: quantiles, by "p10" .. "max"
        * reciprocity: share of links that are returned
        * dead_ends: share of pages that link to no page; most_linked: share of the pages that link to the same page
        * islands: share of the relevant pages in the largest group that links join, and of those on their own
        * tunnels: number of irrelevant pages on the way -> number of relevant pages
        * knee: fetches until an oracle has 95 % of the relevant pages; oracle: what it has at MILESTONES
    """
    return {
        "pages": len(web),
        "failed": web.failed,
        "complete": web.complete,
        "links": len(web.source),
        "hosts": len({urlsplit(url).netloc for url in web.urls}),
        "anchors": anchors(web),
        "out_degree": _quantiles(np.bincount(web.source, minlength=len(web))),
        "in_degree": _quantiles(np.bincount(web.target, minlength=len(web))),
        "distance": _quantiles(web.distance),
        "reciprocity": reciprocity(web),
        "dead_ends": _dead_ends(web),
        "most_linked": _most_linked(web),
        **_by_label(web),
    }


def _by_label(web: Web) -> dict[str, Any]:
    if web.relevant is None:
        names = ("labelled", "relevant", "base_rate", "reachable", "locality", "islands", "tunnels", "knee", "oracle")
        return dict.fromkeys(names)
    relevant = int(web.relevant.sum())
    best = oracle(web)
    tunnels = np.bincount(best.tunnels) if best.tunnels else np.zeros(0, dtype=np.int64)
    return {
        "labelled": web.labelled,
        "relevant": relevant,
        "base_rate": _share(relevant, len(web)),
        "reachable": _share(web.reached or 0, web.labelled or 0),
        "locality": locality(web, web.relevant),
        "islands": _islands(web, web.relevant),
        "tunnels": {str(length): int(count) for length, count in enumerate(tunnels) if count},
        "knee": best.fetches_for(_KNEE),
        "oracle": {str(n): best.found_at(n) for n in MILESTONES if n <= len(web)},
    }


def locality(web: Web, label: NDArray[np.bool_]) -> dict[str, float | None]:
    """Return the share of links that lead to relevant pages: of those of relevant pages, and of those of others.

    Args:
        web: the web.
        label: whether each page is relevant, shape (n,).
    """
    of, to = label[web.source], label[web.target]
    return {"relevant": _share(int(to[of].sum()), int(of.sum())), "other": _share(int(to[~of].sum()), int((~of).sum()))}


def reciprocity(web: Web) -> float | None:
    """Return the share of links whose target links back."""
    there = web.source * len(web) + web.target
    back = web.target * len(web) + web.source
    return _share(int(np.isin(there, back).sum()), len(there))


def anchors(web: Web) -> dict[str, float | None]:
    """Return how well anchor texts tell what their targets are about, as shares of all links.

    ``title``: the text is the title of the target, with or without the name of a site at its end. ``named``: it is a
    part of the title, or contains it. ``shared``: the same text stands on links to ``SHARED_BY`` pages or more.
    """
    texts = [[_folded(part) for part in text.split(ANCHOR_JOIN)] for text in web.anchors]
    titles = [_folded(title) for title in web.titles]
    leads_to: dict[str, set[int]] = defaultdict(set)
    for parts, target in zip(texts, web.target.tolist(), strict=True):
        for part in parts:
            leads_to[part].add(target)
    of = list(zip(texts, (titles[target] for target in web.target.tolist()), strict=True))
    said = {
        "title": sum(any(_is_title(part, title) for part in parts) for parts, title in of),
        "named": sum(any(_names(part, title) for part in parts) for parts, title in of),
        "shared": sum(all(len(leads_to[part]) >= SHARED_BY for part in parts) for parts in texts),
        "empty": sum(not any(parts) for parts in texts),
    }
    return {name: _share(count, len(texts)) for name, count in said.items()}


def _is_title(part: str, title: str) -> bool:
    """Whether a text is a title, or all of it but the name of the site at its end."""
    return bool(part) and title.startswith(part) and _SITE.match(title, len(part)) is not None


def _names(part: str, title: str) -> bool:
    return bool(part and title) and (part in title or title in part)


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


def _quantiles(values: ArrayLike) -> dict[str, float] | None:
    """Return quantiles of some numbers by "p10", "p50", "p90", "p99", "max"; None for no number.

    >>> _quantiles([1, 2, 3, 4, 5])["p50"]
    3.0
    """
    x = np.asarray(values)
    if not x.size:
        return None
    names: Sequence[str] = [f"p{round(100 * q)}" if q < 1 else "max" for q in _QUANTILES]
    return dict(zip(names, np.quantile(x, _QUANTILES, method="nearest").astype(float).tolist(), strict=True))


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


# ---- figures of the shape of a web: dead ends, the page with most links, islands of relevant pages


def _dead_ends(web: Web) -> float | None:
    """Return the share of the pages that link to no page."""
    out = np.bincount(web.source, minlength=len(web))
    return round(float(np.mean(out == 0)), 4) if len(web) else None


def _most_linked(web: Web) -> float | None:
    """Return the share of the pages that link to the page with most links to it."""
    to = np.bincount(web.target, minlength=len(web))
    return round(float(to.max()) / len(web), 4) if len(web) else None


def _islands(web: Web, label: NDArray[np.bool_]) -> dict[str, float]:
    """Return how the relevant pages hang together by links between relevant pages, in whatever direction.

    Args:
        web: the web.
        label: whether each page is relevant, shape (n,).

    Returns:
        ``largest``: share of the relevant pages in the largest connected part; ``single``: share of those that no link
        joins to a relevant page. Both are 0 without relevant pages.
    """
    pages = np.flatnonzero(label)
    if not len(pages):
        return {"largest": 0.0, "single": 0.0}
    number = np.full(len(web), -1, dtype=np.int64)
    number[pages] = np.arange(len(pages))
    inside = label[web.source] & label[web.target]
    ends = number[web.source[inside]], number[web.target[inside]]
    joined = coo_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(len(pages), len(pages)))
    _, part = connected_components(joined.tocsr(), directed=False)
    sizes = np.bincount(part)
    largest, single = int(sizes.max()), int(np.sum(sizes == 1))
    return {"largest": round(largest / len(pages), 4), "single": round(single / len(pages), 4)}


# ---- read a web for its figures: which webs can be read whole, their seeds and their labels


def frozen(spec: str) -> str:
    """Return the description of a web that stands still.

    Raises:
        UsageError: the live web, which would be read whole, without pauses.
    """
    if spec == "live":
        raise UsageError(
            "lab.live_web_not_read", option=Option("ontocrawl crawl run --warc DIR", 'crawl(.., warc="DIR")')
        )
    return spec


def read(
    world: World,
    seeds: Sequence[str],
    labels: str | None,
    user_agent: str,
    limit: int | None,
    on_note: Callable[[str], None],
    on_page: Callable[[int], None],
) -> Web:
    """Read a web from its seeds.

    Args:
        world: the web.
        seeds: seeds as a user writes them; empty for those of a synthetic web.
        labels: ``FILE#SET``; None for the labels of a synthetic web, or none.
        user_agent: name of the crawler.
        limit: largest number of pages; None for all.
        on_note: called with each message on the seeds.
        on_page: called with the number of pages after each one.

    Raises:
        UsageError: there are no seeds, none of them is a page, or the labels cannot be read.
    """
    sources = seeding.reader(world, Scope(), user_agent=user_agent, delay=0, on_note=on_note)
    urls = seeding.resolve(seeds, world, sources, on_note).urls or tuple(getattr(world, "seeds", ()))
    if not urls:
        raise UsageError("lab.no_seeds_give_name", option=Option("--seeds URL", "seeds=[URL]"))
    truth = crawl_setup.read_labels(labels, world)
    if truth is None and isinstance(world, SyntheticWorld):
        truth = frozenset(world.relevant_urls())
    found = web.read(world, urls, truth, user_agent=user_agent, limit=limit, on_page=on_page)
    if not found.seeds:
        raise UsageError("lab.none_seeds_page_web", urls=", ".join(urls[:3]))
    return found


# ---- the ranges that figures have on real webs, as `python -m tools.real_webs` measured them


FILE = Path(__file__).with_name("real_webs.json")


@cache
def ranges() -> Mapping[str, tuple[float, float]]:
    """Return the least and the largest value of each figure, by its flat name, such as ``locality.relevant``."""
    measured = json.loads(FILE.read_text(encoding="utf-8"))["figures"]
    return {name: (low, high) for name, one in measured.items() for low, high in [one["range"]]}


def flat(figures: Mapping[str, Any]) -> dict[str, float]:
    """Return the figures of a web that say what kind of web it is, by flat names; sizes and counts are left out.

    Args:
        figures: what `figures` returns.
    """
    found: dict[str, float] = {}
    for name in ("base_rate", "reachable", "reciprocity", "dead_ends", "most_linked"):
        found[name] = figures[name]
    for name in ("locality", "islands", "anchors"):
        found |= {f"{name}.{part}": value for part, value in (figures[name] or {}).items()}
    for name in ("out_degree", "in_degree"):
        found |= {f"{name}.{part}": figures[name][part] for part in ("p50", "p90", "p99")}
    if figures["tunnels"]:
        found["tunnelled"] = tunnelled(figures["tunnels"])
    return {name: value for name, value in found.items() if value is not None}


def tunnelled(tunnels: Mapping[str, int]) -> float:
    """Return the share of the relevant pages that cost an irrelevant page or more on the way."""
    total = sum(tunnels.values())
    return round((total - tunnels.get("0", 0)) / total, 4) if total else 0.0


def known(figures: Mapping[str, Any]) -> dict[str, list[float]]:
    """Return the ranges on real webs of those of a web's figures that have one, as values of JSON.

    Args:
        figures: what `figures` returns.
    """
    return {name: list(ranges()[name]) for name in flat(figures) if name in ranges()}


def outside(figures: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    """Return the figures of a web that no real web has: its value, the least and the largest on real webs.

    Args:
        figures: what `figures` returns.
    """
    measured = flat(figures)
    limits = {name: (measured[name], *ranges()[name]) for name in known(figures)}
    return {name: (value, low, high) for name, (value, low, high) in limits.items() if not low <= value <= high}
