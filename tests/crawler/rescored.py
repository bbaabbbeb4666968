"""Crawls that take new weights on their way, for tests."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from crawler.crawl import Crawl
from crawler.text import Vocabulary, Word
from crawler.weights import Weights
from tests.crawler import webs

NEW = Word("应急", 0.9, (("zh", "应急"), ("en", "station")), "urn:new")
"""A word that no vocabulary of the topic has; pages of the planted web do."""


@functools.cache
def other(shift: int = 2) -> Weights:
    """Weights of another version: every fifth class is gone, the others weigh differently, and a new one is there."""
    ontologies = {name: {"iri": "urn:o", "version": str(shift), "key": f"o/{shift}"} for name in ("GTK", "LTK_1")}
    vocabularies = {name: v if name == "TK" else _other(v, shift) for name, v in webs.vocabularies().items()}
    return Weights(vocabularies, {}, ontologies)


def _other(vocabulary: Vocabulary, shift: int) -> Vocabulary:
    words = [
        replace(word, weight=round(min(1.0, word.weight * (0.5 if place % 3 else 1.3)), 6))
        for place, word in enumerate(vocabulary.words)
        if place % 5 != shift
    ]
    return Vocabulary(vocabulary.name, (*words, NEW))


def run(crawl: Crawl, takes: Mapping[int, Weights], until: int | None = None) -> Crawl:
    """Crawl on, take weights after the numbers of pages in ``takes``, and stop after ``until`` fetches as if killed."""
    for step in crawl.steps():
        weights = takes.get(step.fetched)
        if weights is not None and weights.digest != crawl.rescoring.digest:
            crawl.rescore(weights)
        if step.number == until:
            break
    return crawl


def begun(strategy: str, path: Path, **options: Any) -> Crawl:
    """A crawl that has begun."""
    crawl = webs.make(strategy, path, **options)
    crawl.begin({"strategy": strategy})
    return crawl


def resumed(strategy: str, path: Path, **options: Any) -> Crawl:
    """The crawl of a journal, resumed."""
    crawl = webs.make(strategy, path, **options)
    crawl.resume()
    return crawl


def picture(crawl: Crawl) -> dict[str, Any]:
    """All that the next choice of a crawl depends on, as bytes of its arrays."""
    state = crawl.state.state()
    state["features"] = crawl.state.features.compute(np.arange(crawl.state.frontier.n))  # not how vectors are numbered
    return as_bytes(state)


def as_bytes(value: Any) -> Any:
    """Return a state with the bytes of its arrays in their places."""
    if isinstance(value, np.ndarray) and value.dtype == np.uint8:  # a set of links, with room that depends on its past
        return value.tobytes().rstrip(b"\0")
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, Mapping):
        return {key: as_bytes(part) for key, part in value.items()}
    return [as_bytes(part) for part in value] if isinstance(value, list | tuple) else value
