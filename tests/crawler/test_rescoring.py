"""New weights in the middle of a crawl: the state that follows, its replay, and what is refused."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Judge, Limits, Setup
from crawler.explanation.page_scores import page_scores
from crawler.fetching.fetch import Fetched
from crawler.frontier import FrontierView
from crawler.journal import Journal, recounts
from crawler.journal.ledger import fates, ledger
from crawler.journal.page_rows import unpack_counts
from crawler.model import Floats, Ids, Picks, Response
from crawler.pages.page import page_record, unpacked_segments
from crawler.rescoring import _Recount
from crawler.scope import Scope
from crawler.scoring.features import KINDS
from crawler.scoring.relevance import relevance
from crawler.state import CrawlState
from crawler.strategies.base import Strategy
from crawler.text import Matcher, Vocabulary, Word
from crawler.weights import Weights, WeightsError, digest_of, of_json
from crawler.worlds.synthetic import SyntheticWorld
from tests.crawler import rescored, webs

STRATEGIES = (
    "best_first", "shark", "fcosa_g", "fcosa_lg", "fcits_oh", "on_its", "fcpso", "moaco", "fcwseo", "bcw_cc", "fcsa",
    "hits", "temporal_intent", "wang_landau", "mixture", "ssvsm_guide",
)  # fmt: skip
TAKES = {14: rescored.other(2), 22: rescored.other(3)}


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_crawl_that_is_killed_at_any_point_goes_on_exactly(name: str, tmp_path: Path) -> None:
    """Before the first weights, between both, after them; with the snapshot after them, and without."""
    whole = rescored.run(rescored.begun(name, tmp_path / "whole", pages=32), TAKES)
    expected, picture = webs.trace(whole), rescored.picture(whole)
    whole.journal.close()
    luck = random.Random(name)
    path = tmp_path / "cut"
    crawl = rescored.begun(name, path, pages=32)
    for stop in sorted(luck.sample(range(3, 30), 3)):
        rescored.run(crawl, TAKES, until=stop).journal.close()
        for snapshot in [*path.with_suffix(".snapshots").glob("*")] if luck.random() < 0.5 else ():
            snapshot.unlink()
        crawl = rescored.resumed(name, path, pages=32)
    assert webs.trace(rescored.run(crawl, TAKES)) == expected
    assert rescored.picture(crawl) == picture
    crawl.journal.close()


@pytest.mark.slow
def test_new_weights_change_the_crawl(tmp_path: Path) -> None:
    crawl = rescored.run(rescored.begun("fcosa_g", tmp_path / "changed"), {20: rescored.other()})
    found, same = webs.trace(crawl), webs.whole("fcosa_g", tmp_path / "same")
    assert found[:20] == same[:20] and found != same
    (taken,) = recounts.taken(crawl.journal)
    assert (taken.digest, taken.fetched, taken.recounted, taken.estimated) == (rescored.other().digest, 20, 20, 0)
    assert taken.ontologies == {"GTK": "o/2", "LTK_1": "o/2"} and taken.queued > 0
    found = ledger(crawl.journal)
    assert found.queued == len(crawl.scheduler.frontier)
    assert found.fetched + found.queued + found.in_flight + sum(found.reasons.values()) == found.known
    crawl.journal.close()


class Everything(Strategy):
    """Admits all links, and reads every kind of column under every vocabulary."""

    name: ClassVar[str] = "everything"
    title: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    vocabularies = ("GTK", "LTK_*")
    features = (
        *(f"{kind}:{V}" for kind in KINDS for V in ("TK", "GTK", "LTK_*")),
        "pagerank",
        "pagerank_plain",
        "pagerank_crawled",
    )

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        return view.features("*", links).sum(axis=1)

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        return Picks(view.top(n))


def everything(guide: str, seeds: tuple[str, ...]) -> Setup:
    judge = Judge(relevance("paper_000"), 0.7)
    return Setup(Everything(), webs.vocabularies(), relevance(guide), judge, Scope(), seeds, refresh_every=7)


@pytest.mark.slow
@pytest.mark.parametrize("guide", ["paper_000", "paper_002", "density", "saturated"])
def test_the_state_is_that_of_a_crawl_that_had_the_weights_from_the_start(guide: str, tmp_path: Path) -> None:
    web = SyntheticWorld("planted", 600, 0)
    setup = everything(guide, tuple(web.seeds))
    crawl = Crawl(setup, Fetching(webs.fetcher(web)), Journal(tmp_path / "run"), Limits(pages=30), snapshot_every=8)
    crawl.begin({})
    rescored.run(crawl, {}, until=30)
    crawl.rescore(rescored.other())
    ever = CrawlState(everything(guide, tuple(web.seeds)).under(rescored.other()))
    ever.plant_seeds()
    for event in crawl.journal.events_of("outcome"):
        (pick,) = ever.scheduler.take(Picks(np.array([event.link])))
        url = ever.urls.url(event.link)
        reply = web.fetch(url)
        assert isinstance(reply, Response)
        ever.absorb(pick, page_record(url, Fetched(reply, reply.url, ()), ever.matcher, ever.extras))
    ever.scheduler.refresh()
    found, expected = crawl.state, ever
    assert rescored.as_bytes(found.statistics.state()) == rescored.as_bytes(expected.statistics.state())
    links = np.arange(found.frontier.n)
    columns = expected.features.compute(links)
    for name, values in found.features.compute(links).items():
        assert values.tobytes() == columns[name].tobytes(), name
    queued = found.frontier.queued()
    assert queued.tolist() == expected.frontier.queued().tolist() and len(queued) > 100
    assert found.frontier.priority(queued).tobytes() == expected.frontier.priority(queued).tobytes()
    crawl.journal.close()


def test_pages_in_flight_are_counted_by_the_new_words(tmp_path: Path) -> None:
    path = tmp_path / "run"
    crawl = rescored.begun("fcosa_g", path, pages=40, in_flight=6, workers=3)
    rescored.run(crawl, {12: rescored.other()})
    (event,) = recounts.events(crawl.journal)
    sizes, matcher = crawl.state.setup.sizes, crawl.state.matcher
    rows = [*crawl.journal.query("SELECT seq, counts, segments FROM page WHERE failure IS NULL")]
    assert sum(seq > event.seq for seq, *_ in rows) == 28
    again = dict(crawl.journal.query("SELECT page, counts FROM recount"))
    for seq, counts, segments in rows:
        found = unpack_counts(again.get(seq, counts), sizes)
        for name, expected in matcher.count_segments(unpacked_segments(segments)).items():
            assert found[name].tolist() == expected.tolist(), (seq, name)
    crawl.journal.close()
    before = trace_of(path)
    again = rescored.resumed("fcosa_g", path, pages=40)
    assert webs.trace(again) == before
    again.journal.close()


def trace_of(path: Path) -> list[tuple[str, float | None, str | None]]:
    """The trace in a journal."""
    crawl = webs.make("fcosa_g", path, pages=40)
    found = webs.trace(crawl)
    crawl.journal.close()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("parsers", [0, 1])
def test_parsers_count_the_new_words(parsers: int, tmp_path: Path) -> None:
    options: dict[str, Any] = {"pages": 30, "in_flight": 4, "workers": 2, "reproducible": True, "parsers": parsers}
    crawl = rescored.run(rescored.begun("fcosa_g", tmp_path / "run", **options), {10: rescored.other()})
    found = webs.trace(crawl)
    crawl.journal.close()
    options |= {"parsers": 0}
    plain = rescored.run(rescored.begun("fcosa_g", tmp_path / "plain", **options), {10: rescored.other()})
    assert webs.trace(plain) == found
    plain.journal.close()


@pytest.mark.slow
@pytest.mark.parametrize("target", ["oracle"])
def test_pages_that_were_read_ahead_are_counted_again(target: str, tmp_path: Path) -> None:
    whole = rescored.run(rescored.begun("fcosa_g", tmp_path / "whole", pages=12, target=target), {6: rescored.other()})
    path = tmp_path / "cut"
    rescored.run(rescored.begun("fcosa_g", path, pages=12, target=target), {6: rescored.other()}, 8).journal.close()
    crawl = rescored.run(rescored.resumed("fcosa_g", path, pages=12, target=target), {})
    assert webs.trace(crawl) == webs.trace(whole) and rescored.picture(crawl) == rescored.picture(whole)
    seen = crawl.state.seen_ahead
    assert seen and {record.weights for record in seen.values()} == {1}
    assert {matrix.shape[1] for record in seen.values() if record.failure is None
            for name, matrix in record.counts.items() if name == "GTK"} == {crawl.state.setup.sizes["GTK"]}  # fmt: skip
    crawl.journal.close()
    whole.journal.close()


@pytest.mark.slow
def test_weights_that_fail_leave_nothing_in_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run"
    crawl = rescored.begun("fcosa_g", path)

    def fails(self: CrawlState) -> list[int]:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patched, pytest.raises(RuntimeError, match="disk"):
        patched.setattr(CrawlState, "score_again", fails)
        rescored.run(crawl, {20: rescored.other()})
    assert recounts.taken(crawl.journal) == () and [*crawl.journal.query("SELECT * FROM recount")] == []
    crawl.journal.close()
    expected = webs.whole("fcosa_g", tmp_path / "whole")
    again = rescored.run(rescored.resumed("fcosa_g", path), {})
    assert webs.trace(again) == expected
    again.journal.close()


def test_pages_are_explained_alike_with_and_without_kept_statistics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recounts, "_KEPT_EVERY", 4)
    setup = rescored.begun("fcosa_g", tmp_path / "other").state.setup
    crawl = rescored.run(rescored.begun("fcosa_g", tmp_path / "run", pages=40), {15: rescored.other()})
    pages = [seq for (seq,) in crawl.journal.query("SELECT seq FROM page WHERE failure IS NULL")]
    kept = [recounts.kept_statistics(crawl.journal, seq) for seq in pages]
    assert len({found[0] for found in kept if found is not None}) == 10
    wanted = frozenset(pages[::7])
    fast = page_scores(crawl.journal, setup, wanted)
    with crawl.journal._transaction():
        crawl.journal._db.execute("DELETE FROM run WHERE key LIKE 'statistics/%'")
    assert recounts.kept_statistics(crawl.journal, pages[-1]) is None
    assert page_scores(crawl.journal, setup, wanted) == fast and len(fast) == len(wanted)
    crawl.journal.close()


# ---- journals of earlier versions -------------------------------------------------------------------------------


def as_version_2(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("ALTER TABLE page DROP COLUMN segments")
        db.execute("ALTER TABLE page DROP COLUMN sent")
        db.execute("DROP TABLE recount")
        db.execute("UPDATE run SET value = '2' WHERE key = 'version'")
    db.close()


@pytest.mark.slow
def test_a_journal_of_version_2_goes_on_and_its_pages_are_estimated(tmp_path: Path) -> None:
    path, expected = tmp_path / "run", webs.whole("fcosa_g", tmp_path / "whole", pages=40)
    rescored.run(rescored.begun("fcosa_g", path, pages=40), {}, until=15).journal.close()
    as_version_2(path)
    with sqlite3.connect(path) as db:
        before = db.execute("SELECT seq, counts FROM page").fetchall()
    db.close()
    reading = Journal(path)
    assert recounts.taken(reading) == () and sum(fate == "fetched" for *_, fate in fates(reading)) == 15
    reading.close()
    crawl = rescored.run(rescored.resumed("fcosa_g", path, pages=40), {30: rescored.other()})
    assert crawl.journal.get("version") == 4 and webs.trace(crawl)[:30] == expected[:30]
    (taken,) = recounts.taken(crawl.journal)
    assert (taken.recounted, taken.estimated) == (30, 15)
    old, new = webs.vocabularies()["GTK"], rescored.other().vocabularies["GTK"]
    sizes = {name: len(v) for name, v in webs.vocabularies().items()}
    place = {word.label: at for at, word in enumerate(old.words)}
    for seq, counts in before:
        ((packed,),) = crawl.journal.query("SELECT counts FROM recount WHERE page = ?", (seq,))
        was, now = unpack_counts(counts, sizes)["GTK"], unpack_counts(packed, crawl.state.setup.sizes)["GTK"]
        for at, word in enumerate(new.words[:-1]):
            assert now[:, at].tolist() == was[:, place[word.label]].tolist()
    crawl.journal.close()


def test_words_are_estimated_from_title_and_main_text() -> None:
    flood, rain = (Word(word, 1.0, (("en", word),)) for word in ("flood", "rain"))
    before, after = Vocabulary("GTK", (flood,)), Vocabulary("GTK", (rain, flood))
    again = _Recount({"GTK": before}, Matcher((after,)))
    kept = Matcher((before,)).count_segments([("h1", "flood"), ("other", "flood flood")])
    found = again.counts(kept, None, "Rain", "rain and rain, a flood")["GTK"]
    assert found.sum(axis=0).tolist() == [3, 3] and found[:, 1].tolist() == kept["GTK"][:, 0].tolist()
    assert not again.is_exact(None) and again.is_exact(())
    same = _Recount({"GTK": before}, Matcher((Vocabulary("GTK", (replace(flood, weight=0.2),)),)))
    assert same.is_exact(None) and same.counts(kept, None, "", "")["GTK"] is kept["GTK"]


# ---- offers, and what is refused --------------------------------------------------------------------------------


class Once:
    """Offers each of several weights at one look."""

    def __init__(self, *looks: Weights | None) -> None:
        self.looks = list(looks)

    def newest(self) -> Weights | None:
        return self.looks.pop(0) if self.looks else None


def offered(path: Path, *looks: Weights | None, pages: int = 12) -> tuple[Crawl, list[str], list[int]]:
    crawl = webs.make("fcosa_g", path, pages=pages)
    crawl.rescoring._offers = Once(*looks)
    why: list[str] = []
    taken: list[int] = []
    crawl.rescoring.on_refused = why.append
    crawl.rescoring.on_rescored = lambda one: taken.append(one.fetched)
    crawl.begin({})
    rescored.run(crawl, {})
    crawl.journal.close()
    return crawl, why, taken


def test_a_crawl_takes_what_is_offered_between_two_fetches(tmp_path: Path) -> None:
    same = Weights(webs.vocabularies())
    _, why, taken = offered(tmp_path / "run", None, same, None, None, rescored.other(), rescored.other(), same)
    assert (why, taken) == ([], [4, 6])  # the present weights are nothing new; at last it goes back to its first ones


def test_what_does_not_fit_is_refused_with_a_reason_and_the_crawl_goes_on(tmp_path: Path) -> None:
    new = rescored.other().vocabularies
    own = Weights({**new, "TK": Vocabulary("TK", (rescored.NEW,))})
    less = Weights({name: v for name, v in new.items() if name != "LTK_2"})
    more = Weights({**new, "LTK_9": Vocabulary("LTK_9", (rescored.NEW,))})
    _, why, taken = offered(tmp_path / "run", own, more)
    assert taken == [] and "own words (TK)" in why[0] and "LTK_9" in why[1]
    setup = webs.setup("fcosa_lg", ("http://a.example/",))
    with pytest.raises(WeightsError, match=r"LTK_2 .* start a new run"):
        setup.under(less)
    assert trace_of(tmp_path / "run") == webs.whole("fcosa_g", tmp_path / "whole", pages=12)


def test_weights_come_back_from_json() -> None:
    weights = rescored.other()
    again = of_json(weights.as_json())
    assert again.digest == weights.digest == digest_of(again.vocabularies) != Weights(webs.vocabularies()).digest
    assert again.ontologies == weights.ontologies
