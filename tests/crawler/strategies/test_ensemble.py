"""Mixtures and switching: what members see and hear of, whose turn it is, and that no member can tell it is one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crawler.model import Outcome, PageScore, TokenRows
from crawler.strategies import STRATEGIES, create
from crawler.strategies.ensemble import Ensemble
from crawler.strategies.mixture import PATIENCE, Turns
from crawler.testing import Conditions, PlantedWeb, Rehearsal
from tests.crawler import webs

WEB = PlantedWeb.plant(2)
SINGLE = [name for name, cls in STRATEGIES.items() if not issubclass(cls, Ensemble)]


def rehearse(name: str, pages: int = 100, conditions: Conditions | None = None, **given: Any) -> Rehearsal:
    strategy = create(name, {key.replace("__", "."): value for key, value in given.items()})
    return Rehearsal(strategy, WEB, 0, pages, conditions or Conditions())


def pages_of(crawl: Rehearsal) -> list[int]:
    return [page for page, _, _ in crawl.trace]


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in SINGLE if n != "breadth_first"])
def test_a_member_that_always_has_the_turn_crawls_as_if_alone(name: str) -> None:
    """Any strategy, without a line of code for it: its queue, guide, tags and memory are its own."""
    alone = Rehearsal(create(name), WEB, 0, 60).run()
    member = rehearse("switching", 60, members=f"{name},breadth_first", after=0).run()
    assert pages_of(member)[:40] == pages_of(alone)[:40]


def test_picks_are_shared_by_weight() -> None:
    crawl = rehearse("mixture", members="best_first,breadth_first", weights="3,1").run()
    picks = [call.of_each[0] for call in crawl.calls if call.method == "choose"]
    chosen = Counter(move["member"] for _, move in picks)
    assert 60 <= chosen["best_first"] <= 90
    assert chosen["best_first"] + chosen["breadth_first"] == 100


@pytest.mark.slow
def test_a_weight_of_zero_never_has_the_turn() -> None:
    alone = rehearse("mixture", members="best_first,breadth_first", weights="1,0").run()
    assert pages_of(alone) == pages_of(Rehearsal(create("best_first"), WEB, 0, 100).run())


def test_switching_after_so_many_pages() -> None:
    crawl = rehearse("switching", 60, members="breadth_first,best_first,shark", after=20)
    alone = Rehearsal(create("breadth_first"), WEB, 0, 60).run()
    turns = []
    while crawl.step():
        turns.append(crawl.strategy.turn(crawl.scheduler.view(), crawl.scheduler.rng))  # type: ignore[attr-defined]
    assert pages_of(crawl)[:20] == pages_of(alone)[:20]
    assert pages_of(crawl) != pages_of(alone)
    assert [turns.index(number) for number in (1, 2)] == [19, 39]


def test_switching_when_nothing_relevant_comes() -> None:
    strategy = create("switching", {"members": "breadth_first,best_first", "after": 0, "patience": 3})
    view = Rehearsal(strategy, WEB, 0, 10).scheduler.view()
    rng, turns = np.random.default_rng(0), []
    for relevant in (False, True, False, False, False, False, False, False):
        strategy.tell([Outcome(0, PageScore({"TK": 0.0, "GTK": 0.0}, 0.0, relevant))])
        turns.append(strategy.turn(view, rng))  # type: ignore[attr-defined]
    strategy.tell([Outcome(0, None, failure="timeout")])
    assert turns == [0, 0, 0, 0, 1, 1, 1, 0]


def test_outcomes_find_the_member_that_picked_them_with_its_tag() -> None:
    """16 in flight, reordered: each member gets back its own tags, once, and hears of all other pages without one."""
    crawl = rehearse("mixture", 80, Conditions(in_flight=16, reorder=True, failures=0.2), members="best_first,shark")
    heard: dict[str, list[int]] = {}
    for member in crawl.strategy._members:  # type: ignore[attr-defined]
        tags = heard.setdefault(member.strategy.name, [])
        tell = member.strategy.tell

        def listen(outcomes: list[Outcome], tags: list[int] = tags, tell: Any = tell) -> None:
            tags.extend(outcome.tag for outcome in outcomes)
            tell(outcomes)

        member.strategy.tell = listen
    crawl.run()
    own = {name: [tag for tag in tags if tag >= 0] for name, tags in heard.items()}
    assert all(len(set(tags)) == len(tags) > 10 for tags in own.values())
    assert sum(map(len, own.values())) == len(crawl.trace)
    assert all(len(tags) == len(crawl.trace) for tags in heard.values())


def test_a_member_whose_filter_leaves_nothing_passes_its_turn_on() -> None:
    """Seeds are everybody's; all other links are with the second member only."""
    crawl = rehearse("switching", 50, members="fcosa_g,breadth_first", after=0, fcosa_g__eta=1000.0)
    first, second = crawl.strategy._members  # type: ignore[attr-defined]
    crawl.run()
    assert len(crawl.fetched) == 50
    assert len(first.queue) == 0
    assert len(second.queue) == len(crawl.scheduler.frontier) > 0


def test_members_with_different_guides_see_their_own_relevance(tmp_path: Path) -> None:
    """On a crawl of pages there are columns by each guide, and each member hears its own guide's opinion."""
    crawl = webs.make("mixture", tmp_path / "journal.sqlite", pages=30)
    crawl.begin({})
    assert crawl.state.guides.keys() == {"paper_000", "paper_002"}
    for step in crawl.steps():
        by_guide = step.outcome.by_guide
        if step.outcome.page_score is not None:
            assert by_guide["paper_000"].relevance == step.outcome.page_score.relevance
    links = crawl.state.frontier.queued()
    columns = crawl.state.features.compute(links)
    one, other = columns["target:TK@paper_002"], columns["anchor:TK@paper_000"]
    assert columns.keys() >= {"anchor:TK@paper_002", "parents:TK@paper_000"}
    assert one.shape == other.shape and not np.array_equal(columns["anchor:TK@paper_002"], other)
    crawl.journal.close()


@pytest.mark.slow
def test_a_crawl_by_a_mixture_is_resumed_exactly(tmp_path: Path) -> None:
    whole = webs.make("mixture", tmp_path / "whole.sqlite", pages=60)
    whole.begin({})
    list(whole.steps())
    expected = webs.trace(whole)
    part = webs.make("mixture", tmp_path / "part.sqlite", pages=60)
    part.begin({})
    steps = part.steps()
    for _ in range(33):
        next(steps)
    part.journal.close()
    again = webs.make("mixture", tmp_path / "part.sqlite", pages=60)
    again.resume()
    list(again.steps())
    assert len(expected) >= 60
    assert webs.trace(again) == expected
    for crawl in (whole, again):
        crawl.journal.close()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"members": "best_first"}, "two names or more"),
        ({"members": "shark,shark"}, "none of them twice"),
        ({"members": "best_first,sharc"}, "did you mean shark"),
        ({"members": "best_first,shark", "weights": "1"}, "weights must be a number"),
        ({"members": "best_first,shark", "weights": "1,-1"}, "weights must be a number"),
        ({"members": "best_first,shark", "weights": "0,0"}, "not all 0"),
        ({"members": "best_first,shark", "weights": "a,b"}, "best_first, shark"),
        ({"fish.D": 3}, "fish, which is no member"),
        ({"members": "best_first,shark", "shark.D": -1}, "D must"),
        ({"members": "best_first,shark", "shark.nothing": 1}, "shark has no parameter 'nothing'"),
    ],
)
def test_what_cannot_be_is_refused_by_name(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        create("mixture", given)


def test_parameters_of_members_are_given_by_their_names() -> None:
    made = create("mixture", {"members": "best_first,shark", "shark.D": 7})
    assert isinstance(made, Ensemble)
    assert [getattr(member.strategy.parameters, "D", None) for member in made._members] == [None, 7]
    assert "best_first.formula" in type(made).parameter_names({"members": "best_first,shark"})


def test_a_classifier_may_be_given_for_a_member_but_a_crawl_has_one() -> None:
    cls = STRATEGIES["mixture"]
    given = {"members": "fcbcw,best_first", "fcbcw.classifier": "c.json", "fcbcw.S": "flood"}
    assert (cls.parameters_from(given).classifier, cls.parameters_from(given).S) == ("c.json", "flood")
    with pytest.raises(ValueError, match="parameter classifier is given twice"):
        cls.parameters_from({**given, "classifier": "d.json"})


def outcome_of_class(tag: int, first: float, second: float) -> Outcome:
    R = {"TK": max(first, second), "TK_1": first, "TK_2": second}
    tokens = TokenRows(np.array([7]), np.array([0, 1]), np.array([[0.1, 0.2]], dtype=np.float32))
    return Outcome(0, PageScore(R, R["TK"], True), tag=tag, tokens=tokens)


def test_each_class_sees_pages_by_its_own_vector() -> None:
    turns = Turns([create("breadth_first"), create("breadth_first")], ("TK_1", "TK_2"), 0.5, ("rain", "wind"))
    assert turns.vocabularies == ("TK", "TK_1", "TK_2")
    seen = turns._as_seen_by(1, outcome_of_class(0, 0.9, 0.2))
    assert seen.page_score is not None and seen.tokens is not None
    assert (seen.page_score.relevance["TK"], seen.page_score.judged, seen.page_score.relevant) == (0.2, 0.2, False)
    assert seen.tokens.topic.tolist() == pytest.approx([0.2])


def test_a_class_that_finds_nothing_leaves_its_turns_until_a_page_of_it_comes() -> None:
    turns = Turns([create("breadth_first"), create("breadth_first")], ("TK_1", "TK_2"), 0.5, ("rain", "wind"))
    view = Rehearsal(create("breadth_first"), WEB, 0, 10).scheduler.view()
    rng = np.random.default_rng(0)

    def picks(n: int, first: float, second: float) -> list[int]:
        chosen = []
        for tag in range(n):
            chosen.append(number := turns.turn(view, rng))
            turns._sent[tag] = number, -1
            turns.tell([outcome_of_class(tag, first, second)])
        return chosen

    assert picks(4, 0.9, 0.2) == [0, 1, 0, 1]
    assert picks(2 * PATIENCE, 0.9, 0.2)[-3:] == [0, 0, 0]  # the second class waits
    assert set(picks(1, 0.9, 0.9)) == {0} and picks(2, 0.9, 0.2) == [1, 0]  # a page of it was found
    waiting = turns.state()
    again = Turns([create("breadth_first"), create("breadth_first")], ("TK_1", "TK_2"), 0.5, ("rain", "wind"))
    again.restore(waiting)
    assert again.turn(view, rng) == turns.turn(view, rng)
    assert {0, 1} <= set(picks(3 * PATIENCE, 0.1, 0.1))  # where none finds anything all go on
