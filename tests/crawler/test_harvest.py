"""Guided crawls against breadth-first by truth that no strategy sees: planted labels, and a real labelled web."""

from __future__ import annotations

import json
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


WEBS = (0, 1, 2)
MARGIN = 1.5
"""A guided crawl finds so many times the relevant pages of breadth-first search, or more."""
LESS = {
    "fish": 1.25,  # it tells relevant pages from others, and reads no anchor
    "hits": 1.25,  # it knows which relevant pages point to a link, and reads no anchor
    "gafc": 1.25,  # mutation, which is part of its method, takes links at random
    "adaptive_ga": 1.25,  # so does it, the more the longer it crawls
}
UNGUIDED = ("breadth_first", "date_segments")
"""What is not expected to find more: the measure itself, and dates, which tell nothing of the labels of this web."""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[int]:
    """What breadth-first search finds on each web."""
    return [_planted("breadth_first", seed, tmp_path_factory.mktemp("plain") / "journal.sqlite") for seed in WEBS]


def _planted(strategy: str, web_seed: int, path: Path) -> int:
    world = SyntheticWorld("planted", 1200, web_seed)
    crawl = Crawl(
        webs.setup(strategy, tuple(world.seeds)), Fetching(webs.fetcher(world)), Journal(path), Limits(pages=300)
    )
    crawl.begin({})
    relevant = set(world.relevant_urls())
    found = sum(step.url in relevant for step in crawl.steps() if step.record.failure is None)
    assert crawl.scheduler.fetched == 300
    crawl.journal.close()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name not in UNGUIDED])
def test_guided_crawls_find_more_than_breadth_first(strategy: str, plain: list[int], tmp_path: Path) -> None:
    """At equal fetches, by planted labels, mean of three webs; every strategy but UNGUIDED."""
    guided = [_planted(strategy, seed, tmp_path / f"{seed}.sqlite") for seed in WEBS]
    assert sum(guided) >= LESS.get(strategy, MARGIN) * sum(plain), (guided, plain)


@pytest.mark.slow
def test_without_a_temporal_focus_date_segments_are_breadth_first_search(plain: list[int], tmp_path: Path) -> None:
    """It is why they are not expected to find more; undated links come behind, which changes the order."""
    found = [_planted("date_segments", seed, tmp_path / f"{seed}.sqlite") for seed in WEBS]
    assert 0.7 * sum(plain) < sum(found) < 1.3 * sum(plain), (found, plain)


@pytest.mark.slow
@pytest.mark.skipif(not WIKISPEEDIA.exists(), reason=f"real data is absent: {WIKISPEEDIA}")
def test_fcosa_lg_finds_more_than_breadth_first_on_wikispeedia(tmp_path: Path) -> None:
    labels = json.loads((WIKISPEEDIA / "topics.json").read_text(encoding="utf-8"))["hazard_all"]
    world = CorpusWorld(WIKISPEEDIA)
    relevant = {world.url_of(unquote(name)) for name in labels}
    found = {}
    for strategy in ("breadth_first", "fcosa_lg"):
        setup = webs.setup(strategy, (world.url_of("Rain"), world.url_of("Weather")))
        crawl = Crawl(setup, Fetching(webs.fetcher(world)), Journal(tmp_path / strategy), Limits(pages=600))
        crawl.begin({})
        found[strategy] = sum(step.url in relevant for step in crawl.steps())
        crawl.journal.close()
    assert found["fcosa_lg"] > found["breadth_first"], found
