"""Proposals for the tests of the review: terms of the curated rainstorm ontology's field, with sentences."""

from __future__ import annotations

from dataclasses import replace

from ontology.enrichment import PageSentence, Proposal, Support

BASE = "https://w3id.org/ontocrawl/rainstorm#"
FIRST = PageSentence(
    "专家认为，单靠海绵城市难以消化特大暴雨，仍需骨干排水通道兜底。", "http://news.example/2026/07/21/story_118064.html",
    7, 11, "2026-11-01T08:00:00+00:00", "first",
)  # fmt: skip
SECOND = PageSentence(
    "The sponge city programme, 海绵城市, was started in 2014 after heavy urban flooding in many of the large cities "
    "of the country and its neighbours.", "http://b.example/x", 0, 0, "2026-11-02T08:00:00+00:00", "second",
)  # fmt: skip


def concept(term: str = "海绵城市", target: str = "CityWaterlogging", label: str = "城市内涝") -> Proposal:
    """A new class under another."""
    return Proposal(
        "concept", term, "subclass_of", BASE + target if target else None, label or None, 12.309, 12, (FIRST, SECOND),
        rule="pattern" if target else None, reason="海绵城市等城市内涝" if target else "", id=f"rainstorm/{term}",
        crawls={"first": Support(12.309, 10, 1), "second": Support(8.1, 2, 4)},
    )  # fmt: skip


def relation() -> Proposal:
    """A relation between two classes."""
    return replace(
        concept("暴雨", "CityWaterlogging", "城市内涝"), id="rainstorm/暴雨:causes:城市内涝", kind="relation",
        relation="causes", source=BASE + "Rainstorm", rule="cue", reason="导致",
    )  # fmt: skip
