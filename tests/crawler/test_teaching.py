"""Crawls that persons teach on the way: verdicts as events, resumed exactly, shown, taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from crawler import strategies
from crawler.crawl import Crawl
from crawler.crawl_options import Fetching
from crawler.explanation.explain import Replay, explain
from crawler.journal import Journal, JournalError, taught_pages
from crawler.journal.ledger import fates, ledger
from crawler.journal.taught_pages import FORGOTTEN, PageVerdict, VerdictsError
from crawler.strategies.evidence_sum import AWAITED
from crawler.worlds.synthetic import SyntheticWorld
from tests.crawler import rescored, webs

WEB = SyntheticWorld("planted", 600, 0)
FAILING = "http://nowhere.example/"


def said(url: str, liked: bool | None) -> PageVerdict:
    return PageVerdict(url, liked, "2026-01-01T00:00:00+00:00")


def begun(path: Path, pages: int = 40, strategy: str = "evidence_sum") -> Crawl:
    return rescored.begun(strategy, path, pages=pages)


def run(crawl: Crawl, lessons: Mapping[int, Sequence[PageVerdict]], until: int | None = None) -> Crawl:
    """Crawl on, give the verdicts after so many fetches unless they were taken, and stop as if killed."""
    taken = {page.event for page in taught_pages.verdicts(crawl.journal)}
    if 0 in lessons and not taken:
        crawl.teach(lessons[0])
    for step in crawl.steps():
        if step.number in lessons:
            crawl.teach(lessons[step.number])
        if step.number == until:
            break
    return crawl


def urls_of(crawl: Crawl) -> list[str]:
    return [url for url, _, failure in webs.trace(crawl) if failure is None]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The pages of a crawl that nobody taught, in order."""
    return [url for url, *_ in webs.whole("evidence_sum", tmp_path_factory.mktemp("plain") / "run", pages=40)]


def lessons_of(plain: list[str]) -> dict[int, list[PageVerdict]]:
    """Verdicts about pages unknown, read, queued and failing; one is replaced, one taken back."""
    return {
        0: [said(WEB.url(400), True)],
        12: [said(plain[3], False), said(WEB.url(300), True), said(FAILING, True)],
        20: [said(plain[3], True), said(plain[35], False)],
        25: [said(WEB.url(300), None)],
    }


@pytest.mark.slow
def test_a_resumed_crawl_equals_an_uninterrupted_one(tmp_path: Path, plain: list[str]) -> None:
    lessons = lessons_of(plain)
    whole = run(begun(tmp_path / "whole"), lessons)
    expected, picture = webs.trace(whole), rescored.picture(whole)
    whole.journal.close()
    assert [url for url, *_ in expected] != plain
    for name, stops in (("one", (1, 12, 13, 27)), ("other", (5, 16, 20, 26))):
        crawl = begun(tmp_path / name)
        for stop in stops:
            run(crawl, lessons, stop).journal.close()
            crawl = rescored.resumed("evidence_sum", tmp_path / name, pages=40)
        run(crawl, lessons)
        assert webs.trace(crawl) == expected and rescored.picture(crawl) == picture
        crawl.journal.close()


def test_pages_that_are_asked_for_come_first_and_a_failure_is_reported(tmp_path: Path) -> None:
    crawl, failed = begun(tmp_path / "run", pages=6), list[tuple[str, str]]()
    crawl.teaching.on_unread = lambda url, reason: failed.append((url, reason))
    first = [said(WEB.url(400), True), said(WEB.url(401), False), said(FAILING, True)]
    run(crawl, {0: first, 5: [said(WEB.url(400), False)]})
    assert [url for url, *_ in webs.trace(crawl)][:3] == [page.url for page in first]
    assert failed == [(FAILING, "dns")]
    present = {page.url: (page.liked, page.asked) for page in taught_pages.present(crawl.journal).values()}
    assert present == {WEB.url(401): (False, True), FAILING: (True, True), WEB.url(400): (False, False)}
    assert ledger(crawl.journal).fetched == 6
    crawl.journal.close()


def test_the_judge_is_not_taught(tmp_path: Path, plain: list[str]) -> None:
    untaught, crawl = begun(tmp_path / "one", 15), begun(tmp_path / "other", 15)
    run(untaught, {})
    run(crawl, {10: [said(url, False) for url in plain[:10]]})
    kept = "SELECT p.relevant, p.relevance FROM page p ORDER BY seq LIMIT 10"
    assert [*crawl.journal.query(kept)] == [*untaught.journal.query(kept)]
    assert sum(crawl.state.strategy._pages.y[:10]) == 0.0 < sum(untaught.state.strategy._pages.y[:10])  # type: ignore[attr-defined]
    crawl.journal.close()
    untaught.journal.close()


def test_a_verdict_that_is_taken_back_takes_the_page_out_of_the_queue(tmp_path: Path) -> None:
    crawl, url = begun(tmp_path / "run", 3), WEB.url(400)
    crawl.teach([said(url, True)])
    link = crawl.state.urls.id(url)
    assert link is not None and crawl.state.frontier.best() == link
    assert crawl.state.frontier.priority(crawl.state.frontier.queued()).max() == AWAITED
    crawl.teach([said(url, None)])
    assert {found: fate for _, found, fate in fates(crawl.journal)}[url] == FORGOTTEN
    run(crawl, {})
    assert url not in urls_of(crawl) and taught_pages.present(crawl.journal) == {}
    crawl.journal.close()


@pytest.mark.slow
def test_a_redirect_to_a_page_that_was_read_is_a_verdict_about_that_page(tmp_path: Path) -> None:
    crawl = run(begun(tmp_path / "run", 56), {})
    hops = "SELECT json_extract(e.data, '$.hops[0]'), p.final_url FROM event e JOIN page p USING (seq) WHERE {}"
    dup = next(crawl.journal.query(hops.format("p.failure = 'duplicate_redirect'")))
    crawl.teach([said(dup[0], False)])
    (page,) = taught_pages.present(crawl.journal).values()
    assert not page.asked and crawl.state.urls.url(page.link) != dup[0]
    assert crawl.state.strategy._pages.y[crawl.state.strategy._pages.rows(np.array([page.link]))] == [0.0]  # type: ignore[attr-defined]
    crawl.journal.close()


class Source:
    """Verdicts for a few looks; an error is raised."""

    def __init__(self, *looks: Sequence[PageVerdict] | Exception | None) -> None:
        self.looks = list(looks)

    def newest(self) -> Sequence[PageVerdict] | None:
        look = self.looks.pop(0) if self.looks else None
        if isinstance(look, Exception):
            raise look
        return look


def test_a_crawl_takes_what_is_new_and_goes_on_where_verdicts_cannot_be_read(tmp_path: Path, plain: list[str]) -> None:
    crawl, refused, taken = begun(tmp_path / "run", 12), list[str](), list[list[str]]()
    first, out = said(plain[2], True), said("http://a.example/film.mp4", True)
    looks = ([first], None, VerdictsError("damaged"), [first, out], [first, said(plain[1], False)])
    crawl.teaching._source = Source(*looks)
    crawl.teaching.on_refused = refused.append
    crawl.teaching.on_taught = lambda pages: taken.append([page.url for page in pages])
    run(crawl, {})
    assert taken == [[plain[2]], [plain[1]]]
    assert refused[0] == "damaged" and refused[1].startswith("http://a.example/film.mp4 is out of scope: The file name")
    crawl.journal.close()


def test_an_empty_queue_is_filled_by_what_is_asked_for(tmp_path: Path) -> None:
    crawl = begun(tmp_path / "run", 5)
    queued = crawl.state.frontier.queued()
    crawl.state.frontier.take(queued)
    crawl.teaching._source = Source([said(WEB.url(400), True)])
    run(crawl, {})
    assert urls_of(crawl)[0] == WEB.url(400)
    crawl.journal.close()


def test_a_mixture_passes_verdicts_on(tmp_path: Path) -> None:
    plain = strategies.create("mixture", {"members": "best_first,breadth_first"})
    mixed = strategies.create("mixture", {"members": "best_first,evidence_sum"})
    assert (plain.is_teachable, mixed.is_teachable) == (False, True)
    mixed.teach(3, False)
    (member,) = [m.strategy for m in mixed._members if m.strategy.is_teachable]  # type: ignore[attr-defined]
    assert member._pages._taught == {3: False}
    names = [name for name in strategies.STRATEGIES if strategies.create(name).is_teachable]
    assert names == ["evidence_sum"]


def test_explanations_say_what_a_person_said(tmp_path: Path, plain: list[str]) -> None:
    path, url = tmp_path / "run", WEB.url(300)
    run(begun(path, 20), {3: [said(url, True), said(plain[1], False)]}).journal.close()
    replay = replay_of(path)
    answer = explain(replay.journal, replay, url)
    assert answer.fetched and [step.how for step in answer.path] == ["asked"]
    assert answer.taught is not None and answer.taught.liked and answer.taught.fetched == 3
    assert answer.score is not None and answer.score.chosen is not None and answer.score.chosen.priority == AWAITED
    assert answer.score.link is not None and answer.score.link.priority == AWAITED and answer.score.link.terms == ()
    other = explain(replay.journal, replay_of(path, replay.journal), plain[1])
    assert other.taught is not None and not other.taught.liked and not other.taught.asked
    replay.journal.close()


def replay_of(path: Path, journal: Journal | None = None) -> Replay:
    made = webs.make("evidence_sum", path, pages=20)
    setup, fetching, limits = made.state.setup, Fetching(webs.fetcher(WEB)), made.limits
    made.journal.close()
    return Replay(webs.setup("evidence_sum", setup.seeds), fetching, journal or Journal(path), limits)


def test_a_replay_that_would_change_other_links_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "run"
    run(begun(path, 20), {3: [said(WEB.url(400), True)]}).journal.close()
    journal = Journal(path)
    (event,) = journal.events_of("taught")
    changed = str(event.data["pages"][0]["link"] + 1)
    update = "UPDATE event SET data = json_set(data, '$.pages[0].link', json(?)) WHERE kind = 'taught'"
    journal._db.execute(update, (changed,))
    journal.close()
    for snapshot in tmp_path.glob("**/*.snapshots/*"):
        snapshot.unlink()
    replay = replay_of(path)
    with pytest.raises(JournalError, match=r"taught the crawl, and replaying it changes other links.*start a new run"):
        replay.before(2**62)
    replay.journal.close()
