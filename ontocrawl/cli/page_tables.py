"""The parts of the relevance of a page as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ontocrawl.cli.output import Line, spoken, tabled
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.cli.output import Part


def of_words(title: str, words: Sequence[Mapping[str, Any]], most: int | None = None) -> list[Part]:
    """Return the topic words of a page, from the JSON of a `RelevanceParts`.

    Args:
        title: text above the table.
        words: the words, those with the largest parts first.
        most: number of words to show; None for all.
    """
    if not words:
        return [Line(title, style="bold"), f"{spoken(Message('cli.words_none'))}\n"]
    rows = [(w["word"], w["weight"], w["count"], _where(w["slots"]), w["contribution"]) for w in words[:most]]
    left = len(words) - len(rows)
    caption = Message("cli.words_caption", more=Message("cli.words_more", n=left) if left else "")
    return [tabled(title, ("word", "weight", "count", "where", "part"), rows, caption=caption)]


def verdict(decision: Mapping[str, Any]) -> str:
    """Return the judge's decision as a phrase, from the JSON of a `Decision`.

    >>> verdict({"R": 0.93, "sigma": 0.7, "strict": True, "relevant": True})
    'R = 0.9300 > sigma = 0.7: relevant'
    >>> verdict({"R": 0.5, "sigma": 0.7, "strict": False, "relevant": False})
    'R = 0.5000 < sigma = 0.7: not relevant'
    """
    signs = (">", "<=") if decision["strict"] else (">=", "<")
    sign, code = signs[not decision["relevant"]], "cli.verdict_yes" if decision["relevant"] else "cli.verdict_no"
    return Message(code, R=decision["R"], sign=sign, sigma=decision["sigma"])


def _where(slots: Mapping[str, int]) -> str:
    return ", ".join(f"{slot} {count}" for slot, count in slots.items())
