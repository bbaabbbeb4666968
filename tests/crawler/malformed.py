"""Strategies that are declared wrongly, or whose picks have a wrong form, for tests of the conformance suite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Picks
from crawler.strategies.best_first import BestFirst
from crawler.strategies.breadth_first import BreadthFirst


class TagOfOthers(BreadthFirst):
    """Gives its picks the tag of a page that another chose."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        picks = super().choose(view, rng, n)
        return Picks(picks.link, tuple(-1 - tag for tag in picks.tag), picks.move)


@dataclass
class LooseParameters:
    """Can be set."""

    depth: int = 3


class Loose(BreadthFirst):
    """Has parameters that are not frozen."""

    Parameters = LooseParameters


class Unsourced(BreadthFirst):
    """Does not say where it was published."""

    paper = ""


class BadReading(BreadthFirst):
    """Names a reading that points to no trap."""

    readings: ClassVar = {"fast": "It is."}


class Unreadable(BestFirst):
    """Reads a column that no crawl has."""

    features = ("anchor:TK", "sentiment:TK")


class SameTag(BreadthFirst):
    """Gives all picks one tag."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        picks = super().choose(view, rng, n)
        return Picks(picks.link, (0,) * len(picks), picks.move)


class OpaqueMove(BreadthFirst):
    """Explains its choice by an array."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        picks = super().choose(view, rng, n)
        return Picks(picks.link, picks.tag, tuple({"queue": view.links} for _ in picks.tag))


class PicksAList(BreadthFirst):
    """Answers links as a list."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        picks = super().choose(view, rng, n)
        return Picks(picks.link.tolist(), picks.tag, picks.move)  # type: ignore[arg-type]


class TagsAnArray(BreadthFirst):
    """Answers tags as an array."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        picks = super().choose(view, rng, n)
        return Picks(picks.link, np.array(picks.tag), picks.move)  # type: ignore[arg-type]


class DrawsTwice(BreadthFirst):
    """Takes draws with replacement for different links."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        links = view.draw_uniform(rng, min(n, len(view))) if len(view) else np.empty(0, dtype=np.int64)
        picks = super().choose(view, rng, len(links))
        return Picks(links, picks.tag, picks.move)


class ReadsAnUnnamedVocabulary(BestFirst):
    """Reads columns of the global ontology and does not name it."""

    features = ("anchor:TK", "parents:TK", "anchor:GTK")
