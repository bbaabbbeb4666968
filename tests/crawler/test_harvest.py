"""Guided crawls against breadth-first by truth that no strategy sees: planted labels, and a real labelled web."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import pytest

from crawler.crawl import Crawl, Limits
from crawler.journal import Journal
from crawler.worlds.corpus import CorpusWorld
from crawler.worlds.synthetic import SyntheticWorld
from tests.crawler import webs

WIKISPEEDIA = Path(__file__).resolve().parents[3] / "shared" / "data" / "wikispeedia"


def _planted(strategy: str, web_seed: int, path: Path) -> int:
    world = SyntheticWorld("planted", 1200, web_seed)
    crawl = Crawl(webs.setup(strategy, tuple(world.seeds)), webs.fetcher(world), Journal(path), Limits(pages=300))
    crawl.begin({})
    relevant = set(world.relevant_urls())
    found = sum(step.url in relevant for step in crawl.steps() if step.record.failure is None)
    assert crawl.state.fetched == 300
    crawl.journal.close()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["fcosa_lg", "fcosa_g", "fcsa", "best_first"])
def test_guided_crawls_find_half_as_much_again_as_breadth_first(strategy: str, tmp_path: Path) -> None:
    """At equal fetches, by planted labels, mean of five webs."""
    guided = [_planted(strategy, seed, tmp_path / f"g{seed}.sqlite") for seed in range(5)]
    plain = [_planted("breadth_first", seed, tmp_path / f"b{seed}.sqlite") for seed in range(5)]
    assert sum(guided) >= 1.5 * sum(plain), (guided, plain)


@pytest.mark.slow
@pytest.mark.skipif(not WIKISPEEDIA.exists(), reason=f"real data is absent: {WIKISPEEDIA}")
def test_fcosa_lg_finds_more_than_breadth_first_on_wikispeedia(tmp_path: Path) -> None:
    labels = json.loads((WIKISPEEDIA / "topics.json").read_text(encoding="utf-8"))["hazard_all"]
    world = CorpusWorld(WIKISPEEDIA)
    relevant = {world.url_of(unquote(name)) for name in labels}
    found = {}
    for strategy in ("breadth_first", "fcosa_lg"):
        setup = webs.setup(strategy, (world.url_of("Rain"), world.url_of("Weather")))
        crawl = Crawl(setup, webs.fetcher(world), Journal(tmp_path / strategy), Limits(pages=600))
        crawl.begin({})
        found[strategy] = sum(step.url in relevant for step in crawl.steps())
        crawl.journal.close()
    assert found["fcosa_lg"] > found["breadth_first"], found
