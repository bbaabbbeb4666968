"""Crawls of the synthetic web for tests: the rainstorm topic with its shipped ontologies, no graph engine needed."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from crawler import strategies
from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Judge, Limits, Setup
from crawler.fetching.fetch import Fetcher
from crawler.journal import Journal
from crawler.journal.judged_pages import EarlierPages
from crawler.model import World
from crawler.scope import Scope
from crawler.scoring.relevance import relevance
from crawler.text import Vocabulary, Word
from crawler.worlds.synthetic import SyntheticWorld
from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from ontocrawl.topics import topics
from tests.ontology.similarity.root_weights import root_weights

AGENT = "ontocrawl-test"
QUICK = ("breadth_first", "fcosa_lg")
"""The strategies that go through every test at each `make test`; the others do in `make test-all`."""


def every_strategy() -> list[Any]:
    """Names of all strategies as parameters of a test, slow ones marked."""
    names = sorted(strategies.STRATEGIES)
    return [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in names]


@functools.cache
def vocabularies() -> Mapping[str, Vocabulary]:
    """TK, GTK, LTK_1 .. LTK_3 of the rainstorm topic, weighted in memory."""
    space = Workspace(Path("nowhere"), Settings())
    topic = topics.load("rainstorm", space)
    found = {"TK": topic.file.vocabulary()}
    for number, ontology in enumerate(topic.ontologies):
        name = "GTK" if number == 0 else f"LTK_{number}"
        words = []
        for found_weight in root_weights(ontology):
            concept = ontology.by_iri[found_weight.iri]
            words.append(Word(concept.label_zh, found_weight.sem, concept.forms(), concept.iri))
        found[name] = Vocabulary(name, tuple(words))
    return found


def setup(
    strategy: str, seeds: tuple[str, ...], *, seed: int = 0, target: str = "predict", strict: bool = False
) -> Setup:
    chosen = strategies.get(strategy)
    return Setup(
        strategy=chosen(),
        vocabularies=vocabularies(),
        guide=relevance(chosen().guide),
        guides={name: relevance(name) for name in chosen().guides},
        judge=Judge(relevance("paper_000"), 0.7),
        scope=Scope(),
        seeds=seeds,
        seed=seed,
        strict_filter=strict,
        target=target,
    )


def fetcher(world: World) -> Fetcher:
    return Fetcher(world, user_agent=AGENT)


def make(
    strategy: str, path: Path, *, web: int = 600, pages: int = 60, seed: int = 0, world: World | None = None,
    snapshot_every: int = 20, target: str = "predict", earlier_pages: EarlierPages | None = None,
    in_flight: int = 1, reproducible: bool = False, workers: int = 0, parsers: int = 0, strict: bool = False,
) -> Crawl:  # fmt: skip
    """A crawl of a synthetic web with its journal, neither begun nor resumed."""
    synthetic = SyntheticWorld("planted", web, 0)
    chosen = setup(strategy, tuple(synthetic.seeds), seed=seed, target=target, strict=strict)
    fetching = Fetching(
        fetcher(world or synthetic), in_flight=in_flight, reproducible=reproducible, workers=workers, parsers=parsers
    )
    return Crawl(
        chosen, fetching, Journal(path), Limits(pages=pages), snapshot_every=snapshot_every, earlier_pages=earlier_pages
    )


def trace(crawl: Crawl) -> list[tuple[str, float | None, str | None]]:
    """(URL, judged relevance, failure) of every fetch that the journal holds."""
    query = (
        "SELECT u.url, p.relevance, p.failure FROM page p JOIN event e USING (seq) JOIN url u ON u.id = p.link "
        "WHERE e.kind = 'outcome' ORDER BY p.seq"
    )
    return [(url, R, failure) for url, R, failure in crawl.journal.query(query)]


def whole(strategy: str, path: Path, **options: int) -> list[tuple[str, float | None, str | None]]:
    """The trace of an uninterrupted crawl."""
    crawl = make(strategy, path, **options)
    crawl.begin({"strategy": strategy})
    for _ in crawl.steps():
        pass
    found = trace(crawl)
    crawl.journal.close()
    return found


if __name__ == "__main__":  # python -m tests.crawler.webs STRATEGY JOURNAL PAGES: a crawl in another process
    name, journal, limit = sys.argv[1:]
    if Path(journal).exists():
        running = make(name, Path(journal), pages=int(limit))
        running.resume()
    else:
        running = make(name, Path(journal), pages=int(limit))
        running.begin({"strategy": name})
    for step in running.steps():
        print(step.number, flush=True)
    print(json.dumps(trace(running)))
