"""The references of a lab: crawlers that know what no strategy can know, as bounds for what strategies find."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from ontocrawl.lab.lab_ontologies import name_and_settings

Kind = Literal["label", "distance", "judge"]
"""What a reference knows: the label of each link's target; all labels and links, so that it takes the shortest ways; or
what a relevance function says of each link's target."""
KINDS: tuple[Kind, ...] = get_args(Kind)
LABEL_ORACLE, ORACLE, JUDGE_LOOK_AHEAD = "label_oracle", "oracle", "judge_look_ahead"
"""Names in the place of a strategy's name. The last one is followed by ``?guide=NAME``."""
TITLES = {
    LABEL_ORACLE: "label oracle (knows the labels of targets)",
    ORACLE: "oracle (knows labels and distances)",
    JUDGE_LOOK_AHEAD: "judge look-ahead",
}


def names(kinds: tuple[Kind, ...], guides: tuple[str, ...]) -> Iterator[str]:
    """Yield the names of the references of a web.

    Args:
        kinds: what they know, in order.
        guides: the guides of the lab. There is a look-ahead for each.

    >>> list(names(("label", "judge"), ("published", "density")))
    ['label_oracle', 'judge_look_ahead?guide=published', 'judge_look_ahead?guide=density']
    """
    for kind in kinds:
        if kind == "judge":
            yield from (look_ahead(guide) for guide in guides)
        else:
            yield LABEL_ORACLE if kind == "label" else ORACLE


def look_ahead(guide: str) -> str:
    """Return the name of the look-ahead by a guide."""
    return f"{JUDGE_LOOK_AHEAD}?guide={guide}"


def is_reference(strategy: str) -> bool:
    """Return whether a name in the place of a strategy's name is that of a reference."""
    return strategy.partition("?")[0] in TITLES


def guide_of(name: str) -> str | None:
    """Return the guide of a look-ahead; None for the other references."""
    return name_and_settings(name)[1].get("guide")


def title_of(name: str) -> str:
    """Return the name of a reference in tables.

    >>> title_of("judge_look_ahead?guide=density")
    'judge look-ahead, density'
    """
    guide = guide_of(name)
    title = TITLES[name.partition("?")[0]]
    return title if guide is None else f"{title}, {guide}"
