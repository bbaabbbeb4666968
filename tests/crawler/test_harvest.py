"""Guided crawls against breadth-first by truth that no strategy sees: planted labels, and a real labelled web."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Limits
from crawler.journal import Journal
from crawler.strategies import STRATEGIES
from crawler.worlds.corpus import CorpusWorld
from crawler.worlds.synthetic import SyntheticWorld
from tests.crawler import webs

WIKISPEEDIA = Path(__file__).resolve().parents[3] / "shared" / "data" / "wikispeedia"


WEBS = (0, 1)
PAGES = 100
LONGER = {"fish": 300}
"""Pages of a crawl, and of one of a strategy that finds its way later."""
MARGIN = 1.5
"""A guided crawl finds so many times the relevant pages of breadth-first search, or more."""
LESS = {"fish": 1.25}  # it tells relevant pages from others, and reads no anchor
UNGUIDED = ("breadth_first", "date_segments")
"""What is not expected to find more: the measure itself, and dates, which tell nothing of the labels of this web."""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], list[int]]:
    """What breadth-first search finds on each web among so many pages."""
    return cache(lambda pages: _found("breadth_first", pages, tmp_path_factory.mktemp("plain")))


def _found(strategy: str, pages: int, folder: Path) -> list[int]:
    return [_planted(strategy, seed, pages, folder / f"{seed}.sqlite") for seed in WEBS]


def _planted(strategy: str, web_seed: int, pages: int, path: Path) -> int:
    world = SyntheticWorld("planted", 1200, web_seed)
    crawl = Crawl(
        webs.setup(strategy, tuple(world.seeds)), Fetching(webs.fetcher(world)), Journal(path), Limits(pages=pages)
    )
    crawl.begin({})
    relevant = set(world.relevant_urls())
    found = sum(step.url in relevant for step in crawl.steps() if step.record.failure is None)
    assert crawl.scheduler.fetched == pages
    crawl.journal.close()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name not in UNGUIDED])
def test_guided_crawls_find_more_than_breadth_first(
    strategy: str, plain: Callable[[int], list[int]], tmp_path: Path
) -> None:
    """At equal fetches, by planted labels, mean of the webs; every strategy but UNGUIDED."""
    pages = LONGER.get(strategy, PAGES)
    guided, unguided = _found(strategy, pages, tmp_path), plain(pages)
    assert sum(guided) >= LESS.get(strategy, MARGIN) * sum(unguided), (guided, unguided)


@pytest.mark.slow
def test_without_a_temporal_focus_date_segments_are_breadth_first_search(
    plain: Callable[[int], list[int]], tmp_path: Path
) -> None:
    """It is why they are not expected to find more; undated links come behind, which changes the order."""
    found, unguided = _found("date_segments", PAGES, tmp_path), plain(PAGES)
    assert 0.7 * sum(unguided) < sum(found) < 1.3 * sum(unguided), (found, unguided)


@pytest.mark.slow
@pytest.mark.skipif(not WIKISPEEDIA.exists(), reason=f"real data is absent: {WIKISPEEDIA}")
def test_fcosa_lg_finds_more_than_breadth_first_on_wikispeedia(tmp_path: Path) -> None:
    labels = json.loads((WIKISPEEDIA / "topics.json").read_text(encoding="utf-8"))["hazard_all"]
    world = CorpusWorld(WIKISPEEDIA)
    relevant = {world.url_of(unquote(name)) for name in labels}
    found = {}
    for strategy in ("breadth_first", "fcosa_lg"):
        setup = webs.setup(strategy, (world.url_of("Rain"), world.url_of("Weather")))
        crawl = Crawl(setup, Fetching(webs.fetcher(world)), Journal(tmp_path / strategy), Limits(pages=150))
        crawl.begin({})
        found[strategy] = sum(step.url in relevant for step in crawl.steps())
        crawl.journal.close()
    assert found["fcosa_lg"] > found["breadth_first"], found
