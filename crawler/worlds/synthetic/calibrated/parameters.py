"""Parameters of the calibrated webs: what each sets, its range, the figure of real webs it is calibrated to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from crawler.worlds.errors import WorldError


def _parameter(default: float, low: float, high: float, meaning: str, figure: str) -> Any:
    return field(default=default, metadata={"low": low, "high": high, "meaning": meaning, "figure": figure})


@dataclass(frozen=True)
class Parameters:
    """Parameters of a calibrated web.

    Each field has in its metadata ``low`` and ``high``, the values that it may have, ``meaning``, and ``figure``: the
    name of the measured figure (``ontocrawl world stats``) that follows from it and whose range on real webs is known,
    or why there is none. `docs/world-parameters.md` lists them.
    """

    base_rate: float = _parameter(0.021, 0.001, 0.2, "share of relevant pages", "base_rate")
    locality: float = _parameter(
        0.22, 0.02, 0.8, "share of the links of relevant pages that lead to relevant ones", "locality.relevant"
    )
    locality_other: float = _parameter(0.0125, 0.0, 0.2, "the same of the links of other pages", "locality.other")
    naming: float = _parameter(
        0.55, 0.0, 1.0, "share of content links whose anchor is the title of the target", "anchors.named"
    )
    generic: float = _parameter(
        0.08, 0.0, 1.0, 'share of content links with an anchor that says nothing, such as "more"', "anchors.shared"
    )
    misleading: float = _parameter(
        0.05,
        0.0,
        1.0,
        "share of content links whose anchor is about another subject",
        "none: targets of anchors are not known",
    )
    empty: float = _parameter(0.04, 0.0, 1.0, "share of content links without text, as of pictures", "anchors.empty")
    out_degree: float = _parameter(
        22, 6, 200, "median number of links of a page, those of menus included", "out_degree.p50"
    )
    out_spread: float = _parameter(1.0, 0.0, 4.0, "how far the degrees above the median spread", "out_degree.p99")
    hubs: float = _parameter(0.015, 0.0, 0.2, "share of pages that are lists of links", "out_degree.p99")
    popularity: float = _parameter(
        4.5,
        1.0,
        6.0,
        "exponent of the choice of targets: 1 chooses all alike, more prefers popular pages",
        "in_degree.p99",
    )
    reciprocity: float = _parameter(0.26, 0.0, 0.6, "share of links that are returned", "reciprocity")
    dead_ends: float = _parameter(0.005, 0.0, 0.5, "share of pages without links", "dead_ends")
    menu: float = _parameter(6, 0, 30, "links of a page's menu and sidebar, the same on all pages of a host", "outside")
    tunnels: float = _parameter(
        1, 0, 6, "irrelevant pages on the way to a hidden cluster of relevant pages; a whole number", "tunnelled"
    )
    tunnelled: float = _parameter(
        0.2, 0.0, 0.5, "share of the relevant pages that stand in hidden clusters", "tunnelled"
    )
    communities: float = _parameter(
        6, 1, 40, "communities of relevant pages in 10,000 pages; a whole number", "islands.largest"
    )
    community_skew: float = _parameter(1.0, 0.0, 2.0, "Zipf exponent of their sizes", "islands.largest")
    bridging: float = _parameter(
        0.15, 0.0, 1.0, "share of the links between relevant pages that lead to another community", "islands.largest"
    )
    hosts: float = _parameter(0.9, 0.0, 2.0, "Zipf exponent of the sizes of hosts", "most_linked")
    host_worth: float = _parameter(
        0.5,
        0.0,
        3.0,
        "Zipf exponent by which hosts differ in their share of relevant pages",
        "none: wikispeedia is one host",
    )
    near: float = _parameter(
        0.2,
        0.0,
        0.8,
        "share of irrelevant pages about a near subject, such as another disaster",
        "none: depends on the topic",
    )
    near_words: float = _parameter(0.1, 0.0, 1.0, "share of these that use words of the topic", "accepted.near")
    mentions: float = _parameter(
        0.03, 0.0, 1.0, "share of other irrelevant pages that mention the topic", "accepted.other"
    )
    weak: float = _parameter(
        0.45, 0.0, 1.0, "share of relevant pages that say little of the topic", "accepted.relevant"
    )
    drift: float = _parameter(
        0.2, 0.0, 1.0,
        "share of its topical sentences that a page loses with each of four steps from the core of its community",
        "accepted.relevant",
    )  # fmt: skip
    dated: float = _parameter(
        0.0,
        0.0,
        1.0,
        "share of relevant pages whose date lies in the interval of the event",
        "none: no dated web is at hand",
    )


@dataclass(frozen=True)
class Calibrated:
    """A preset of this family: its topic, its default number of pages, its parameters."""

    name: str
    title: str
    parameters: Parameters
    pages: int = 20_000


_COMMON = Parameters()
_ALL = (
    Calibrated("rainstorm", "rainstorm disasters among other disasters, weather, finance and noise", _COMMON),
    Calibrated("typhoon", "typhoon disasters; its communities are track, damage, rescue and defence", _COMMON),
    Calibrated(
        "sports", "sports among shows, games and health: a broad topic that more pages are about",
        replace(_COMMON, base_rate=0.03, locality=0.3, locality_other=0.02, communities=8),
    ),
    Calibrated(
        "call_for_papers", "calls for papers among pages about information technology: a rare topic",
        replace(_COMMON, base_rate=0.01, locality=0.15, locality_other=0.007, communities=4),
    ),
    Calibrated(
        "event", "Typhoon Haiyan of 2013 among other typhoons: relevant pages are dated near the event",
        replace(_COMMON, dated=0.9),
    ),
)  # fmt: skip
CALIBRATED: Mapping[str, Calibrated] = {preset.name: preset for preset in _ALL}
NAMES = tuple(one.name for one in fields(Parameters))
_WHOLE = ("tunnels", "communities", "menu")
ANCHORS = ("naming", "generic", "misleading", "empty")


def changed(preset: str, given: Mapping[str, float]) -> Parameters:
    """Return the parameters of a preset with some of them changed.

    Args:
        preset: name of a preset.
        given: parameter -> its value.

    Raises:
        WorldError: an unknown parameter, a value out of range, or shares of anchors that sum to more than one.
    """
    for name, value in given.items():
        if name not in NAMES:
            raise WorldError("worlds.web_no_parameter_pages", preset=preset, name=name, names=", ".join(NAMES))
        limits = Parameters.__dataclass_fields__[name].metadata
        if not limits["low"] <= value <= limits["high"] or (name in _WHOLE and value != int(value)):
            number = "a whole number" if name in _WHOLE else "a number"
            raise WorldError(
                "worlds.must_not", name=name, number=number, low=limits["low"], high=limits["high"], value=value
            )
    result = replace(CALIBRATED[preset].parameters, **given)
    if sum(getattr(result, name) for name in ANCHORS) > 1 + 1e-9:
        raise WorldError("worlds.shares_same_links_must", anchors=", ".join(ANCHORS))
    return result
