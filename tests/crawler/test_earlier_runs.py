"""Look-ahead ``cached`` (trap T4): links are judged by what another run has read, and predicted elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from crawler.journal.judged_pages import EarlierPages
from tests.crawler import webs


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[EarlierPages]:
    """What a breadth-first crawl of the same web has read."""
    webs.whole("breadth_first", tmp_path / "earlier.sqlite", pages=80)
    shapes = {name: len(words.words) for name, words in webs.vocabularies().items()}
    found = EarlierPages({"earlier": tmp_path / "earlier.sqlite"}, shapes)
    yield found
    found.close()


@pytest.mark.slow
def test_pages_are_found_by_url_as_they_were_read(seen: EarlierPages, tmp_path: Path) -> None:
    trace = webs.whole("breadth_first", tmp_path / "again.sqlite", pages=80)
    read = [url for url, _, failure in trace if failure is None]
    assert len(seen) == len(read) == 80
    run, record = seen.get(read[5]) or pytest.fail("a page that was read is not known")
    assert (run, record.final_url, record.failure) == ("earlier", read[5], None)
    assert record.counts.keys() == webs.vocabularies().keys() and record.page.title
    assert seen.get("http://never.example/") is None


def test_known_targets_are_real_and_others_predicted(seen: EarlierPages, tmp_path: Path) -> None:
    crawl = webs.make("fcsa", tmp_path / "run.sqlite", pages=40, target="cached", earlier_pages=seen)
    crawl.begin({})
    list(crawl.steps())
    state = crawl.state
    links = state.frontier.queued()
    links = links[state.graph.in_degree(links) > 0]
    known = np.array([seen.get(state.urls.url(link)) is not None for link in links.tolist()])
    columns = state.features.compute(links)
    state.features.by_guide[""]._known_target = None
    predicted = state.features.compute(links)["target:TK"]
    assert 0 < known.sum() < len(known)
    assert all(state.knows_target(link) for link in links[known].tolist())
    assert not any(state.knows_target(link) for link in links[~known].tolist())
    real = [seen.get(state.urls.url(link)) for link in links[known].tolist()]
    nothing = np.array([found is not None and found[1].counts["TK"].sum() == 0 for found in real])
    assert nothing.any() and not nothing.all()
    assert (columns["target:TK"][known][nothing] == 0.0).all()
    assert (columns["target:TK"][known][~nothing] > 0.0).all()
    assert np.array_equal(columns["target:TK"][~known], predicted[~known])
    assert (np.abs(columns["target:TK"] - predicted)[known] > 0.05).mean() > 0.5
    looks = [event.data["run"] for event in crawl.journal.events() if event.kind == "look"]
    assert set(looks) == {"earlier"}
    assert state.seen_ahead == {}
    crawl.journal.close()


@pytest.mark.slow
def test_a_killed_run_sees_the_same_again(seen: EarlierPages, tmp_path: Path) -> None:
    """Also where the other run has gone on meanwhile, or is not asked: what was seen stands in the journal."""
    options = {"pages": 30, "target": "cached", "snapshot_every": 4}
    whole = webs.make("fcosa_lg", tmp_path / "whole.sqlite", earlier_pages=seen, **options)  # type: ignore[arg-type]
    whole.begin({})
    list(whole.steps())
    first = webs.make("fcosa_lg", tmp_path / "cut.sqlite", earlier_pages=seen, **options)  # type: ignore[arg-type]
    first.begin({})
    for step in first.steps():
        if step.number == 17:
            break
    first.journal.close()
    replayed = webs.make("fcosa_lg", tmp_path / "cut.sqlite", **options)  # type: ignore[arg-type]
    replayed.resume()
    replayed.journal.close()
    resumed = webs.make("fcosa_lg", tmp_path / "cut.sqlite", earlier_pages=seen, **options)  # type: ignore[arg-type]
    resumed.resume()
    list(resumed.steps())
    assert webs.trace(resumed) == webs.trace(whole)
    predicted = webs.whole("fcosa_lg", tmp_path / "predicted.sqlite", pages=30)
    assert webs.trace(whole) != predicted
    for crawl in (whole, resumed):
        crawl.journal.close()
