"""Every registered strategy keeps the seam's promises; and the suite notices strategies that do not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from crawler import testing
from crawler.conformance.answers import StrategyCall, difference
from crawler.conformance.rehearsal import Interrupted, killed_now_and_then
from crawler.frontier import FrontierView
from crawler.model import NO_PICKS, Picks
from crawler.strategies import STRATEGIES, create
from crawler.strategies.adaptive_genetic import AdaptiveGa
from crawler.strategies.base import Strategy
from crawler.strategies.bayes_blocks import Fcbcw
from crawler.strategies.breadth_first import BreadthFirst
from crawler.strategies.genetic import Gafc
from crawler.testing import CHECKS, Conditions, ConformanceError, PlantedWeb, Rehearsal
from tests.crawler import breakers, malformed, webs


class RelevantBreed(Gafc):
    """GAFC that breeds the links of relevant pages: no page of this web has the 15 links of a hub."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters or self.Parameters(breeders="relevant"))


class RelevantBreedAdaptively(AdaptiveGa):
    """The same for the adaptive genetic algorithm."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters or self.Parameters(breeders="relevant"))


class FollowsDiscarded(Fcbcw):
    """FCBCW that follows discarded links last: the seeds of this web are of all kinds, not relevant as the paper's."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters or self.Parameters(discarded="last"))


FEW_LINKS = (testing.check_beats_breadth_first,)
MIXED_SEEDS = (
    *FEW_LINKS, testing.check_credit_with_many_in_flight, testing.check_late_and_failed_outcomes,
    testing.check_pages_of_others,
)  # fmt: skip
OTHER_FORMS: dict[str, tuple[type[Strategy], tuple[Any, ...]]] = {
    "gafc": (RelevantBreed, FEW_LINKS),
    "adaptive_ga": (RelevantBreedAdaptively, FEW_LINKS),
    "fcbcw": (FollowsDiscarded, MIXED_SEEDS),
}
"""Strategies with the form in which they are checked, and by what: for pages of few links, or seeds of all kinds."""
OTHERS = tuple(name for name in STRATEGIES if name not in webs.QUICK)
ELSEWHERE = """
from crawler.strategies import STRATEGIES
from crawler.testing import print_calls
for cls in STRATEGIES.values():
    print_calls(cls.__module__, "", cls.__qualname__)
"""


def cases() -> Iterator[Any]:
    for name in STRATEGIES:
        for check in CHECKS:
            if name in OTHERS and check is testing.check_same_trace_in_another_process:
                continue  # one process for all of them, see below
            marks = [pytest.mark.slow] if name in OTHERS else []
            yield pytest.param(name, check, marks=marks, id=f"{name}-{check.__name__.removeprefix('check_')}")


@pytest.mark.parametrize(("name", "check"), list(cases()))
def test_strategy(name: str, check: Callable[[type[Strategy]], None], monkeypatch: pytest.MonkeyPatch) -> None:
    form, checks = OTHER_FORMS.get(name, (STRATEGIES[name], ()))
    monkeypatch.setattr(testing, "SEEDS", testing.SEEDS[:3])
    check(form if check in checks else STRATEGIES[name])


@pytest.fixture(scope="module")
def elsewhere() -> dict[str, str]:
    """What `print_calls` prints of each strategy in one other process."""
    done = subprocess.run([sys.executable, "-R", "-c", ELSEWHERE], capture_output=True, text=True, check=True)
    return dict(zip(STRATEGIES, done.stdout.splitlines(), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_same_trace_in_another_process(name: str, elsewhere: dict[str, str]) -> None:
    there = [StrategyCall(*entry) for entry in json.loads(elsewhere[name])]
    assert difference(testing.calls_of(STRATEGIES[name]), there) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "check", "message"),
    [
        (breakers.Repeats, "picks_are_sound", "queued links"),
        (breakers.Invents, "picks_are_sound", "queued links"),
        (breakers.Greedy, "picks_are_sound", "at most"),
        (malformed.SameTag, "picks_are_sound", "number the picks"),
        (malformed.TagOfOthers, "picks_are_sound", "tags must be 0 or more"),
        (malformed.OpaqueMove, "picks_are_sound", "not plain JSON"),
        (malformed.PicksAList, "picks_are_sound", "Picks.link must be an array of int64 ids .* not list"),
        (malformed.TagsAnArray, "picks_are_sound", "Picks.tag must be a tuple, one for each pick, not int64 of shape"),
        (malformed.DrawsTwice, "picks_are_sound", "come twice or more: view.draw draws with replacement"),
        (malformed.ReadsAnUnnamedVocabulary, "picks_are_sound", "name GTK in its `vocabularies`, too"),
        (breakers.WrongShape, "picks_are_sound", "of shape"),
        (breakers.NotFinite, "links_without_features", "not finite"),
        (breakers.Greedy, "empty_and_single", "at most"),
        (breakers.Moody, "same_seed_same_trace", "same seed differs at step"),
        (breakers.Hashing, "same_trace_in_another_process", "another process differs at step"),
        (breakers.CountsInItsClass, "same_seed_same_trace", "differs at step .* keep nothing in the class"),
        (breakers.Forgets, "resumes", "given to earlier picks.*: _picked; put into state"),
        (breakers.ForgetsTheHost, "resumes", "resumed crawl differs at step .*not what they were: _last; put into"),
        (breakers.SavesInVain, "resumes", "resumed crawl differs at step .*not what they were: _last; put into"),
        (breakers.CountsCalls, "resumes", "resumed crawl differs at step .* became priority .*: calls; put into"),
        (breakers.CountsInItsClass, "resumes", "all attributes come back, so look for what it keeps elsewhere"),
        (breakers.HandsOver, "resumes", "resumed crawl differs at step .*not what they were: told; put into"),
        (breakers.DrawsAnew, "resumes", "resumed crawl differs at step .*not what they were: dice; put into"),
        (breakers.Learns, "resumes", "JSON does not keep"),
        (breakers.ForgetsCounts, "rejected_links_wait", "counted .* and {'first': .* in a resumed crawl"),
        (breakers.Meddles, "view_is_not_changed", "priority changed the view"),
        (breakers.Aimless, "beats_breadth_first", "at least 1.5 times"),
        (breakers.Aimless, "credit_with_many_in_flight", "at least 1.2 times"),
        (breakers.CreditsTheLast, "credit_with_many_in_flight", "by its tag"),
        (
            breakers.GivesUp,
            "late_and_failed_outcomes",
            r"no pick though \d+ links were queued, .* 1\d of them failures",
        ),
        (breakers.GivesUp, "credit_with_many_in_flight", r"no pick though \d+ links were queued"),
        (breakers.GivesUpLater, "late_and_failed_outcomes", r"no pick though \d+ links were queued, .* 2\d of them"),
        (breakers.GivesUpLast, "late_and_failed_outcomes", r"no pick though \d+ links were queued, after 1\d\d out"),
        (breakers.Ends, "late_and_failed_outcomes", r"no pick though \d+ links were queued, after 6\d outcomes"),
        (breakers.Ends, "beats_breadth_first", r"no pick though \d+ links were queued, after 60 outcomes, 0 of them"),
        (breakers.Ends, "credit_with_many_in_flight", r"no pick though \d+ links were queued"),
        (breakers.AdmitsNothing, "late_and_failed_outcomes", "no link was queued any more: admit more"),
        (breakers.Insists, "pages_of_others", "queued links"),
        (breakers.Waits, "pages_of_others", "do not wait for a link"),
        (malformed.Loose, "parameters_are_frozen", "must be frozen: depth"),
        (malformed.Unsourced, "is_documented", "needs a paper"),
        (malformed.BadReading, "is_documented", "must name a trap"),
        (malformed.Unreadable, "is_documented", "sentiment:TK"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_the_suite_notices(broken: type[Strategy], check: str, message: str) -> None:
    with pytest.raises(ConformanceError, match=message):
        getattr(testing, f"check_{check}")(broken)


def test_the_suite_does_not_hide_errors() -> None:
    with pytest.raises(ValueError, match="no link is queued"):
        testing.check_empty_and_single(breakers.Stubborn)
    with pytest.raises(KeyError):
        testing.check_late_and_failed_outcomes(breakers.BelievesAll)
    with pytest.raises(KeyError):
        testing.check_pages_of_others(breakers.KnowsItsOwn)


def test_an_error_that_comes_from_a_lost_state_says_so() -> None:
    with pytest.raises(KeyError) as raised:
        testing.check_resumes(breakers.KnowsItsOwn)
    assert "is all of it in state()?" in raised.value.__notes__[0]


def test_a_crawl_is_saved_after_each_choice_each_page_that_is_told_and_each_outcome() -> None:
    breakers.Logs.log.clear()
    Interrupted(breakers.Logs(), PlantedWeb.plant(0), 0, 80).run(2)
    page = ["choose", "state", "tell", "state", "admit", "state"]
    assert breakers.Logs.log == page * 2
    breakers.Logs.log.clear()
    Interrupted(breakers.Logs(), PlantedWeb.plant(0), 0, 80, Conditions(failures=1.0)).run(1)
    assert breakers.Logs.log == ["choose", "state", "tell", "state"]


def test_all_calls_of_a_rehearsal_are_kept() -> None:
    crawl = Rehearsal(BreadthFirst(), PlantedWeb.plant(0), 0, 80).run(3)
    assert {call.method for call in crawl.calls} == {"choose", "admit", "priority"}
    chosen = [call for call in crawl.calls if call.method == "choose"]
    assert [call.links for call in chosen] == [[link] for link in crawl.fetched]
    assert [call.of_each[0][0] for call in chosen] == [0, 1, 2]
    assert [call.step for call in chosen] == [0, 1, 2]


def test_where_two_crawls_begin_to_differ() -> None:
    chosen, scored = StrategyCall(3, "choose", [7], [[0, {}]]), StrategyCall(4, "priority", [5, 6], [0.5, 0.25])
    assert difference([chosen, scored], [chosen, scored]) is None
    other = scored._replace(of_each=[0.5, 0.125])
    assert difference([chosen, scored], [chosen, other]) == (
        "at step 4: priority 0.25 of link 6 became priority 0.125 of link 6"
    )
    assert difference([chosen], [chosen, scored]) == "at step 4: no call became priority 0.5 of link 5"
    nothing = StrategyCall(3, "choose", [], [])
    assert difference([chosen], [nothing]) == (
        "at step 3: choose of link 7 with tag 0 and move {} became choose of 0 links"
    )


@pytest.mark.slow
def test_only_what_a_check_is_for_fails_it() -> None:
    """Learning from the last pick does no harm while one page flies; the same by tags does none with sixteen."""
    testing.check_beats_breadth_first(breakers.CreditsTheLast)
    testing.check_credit_with_many_in_flight(breakers.CreditsTheTag)
    for broken in (breakers.Insists, breakers.KnowsItsOwn, breakers.Waits):
        testing.check_picks_are_sound(broken)
        testing.check_late_and_failed_outcomes(broken)


def test_a_rehearsal_gives_each_outcome_to_its_pick_however_late_it_comes() -> None:
    strategy = breakers.Listens()
    crawl = Rehearsal(strategy, PlantedWeb.plant(0), 0, 80, replace(testing.ROUGH, others=0.4)).run()
    own = [(o.tag, o.link) for o in strategy.heard if o.tag >= 0]
    assert own != sorted(own)
    assert sorted(own + [(p.tag, p.link) for p in crawl.scheduler.in_flight.values() if p.tag >= 0]) == sorted(
        strategy.sent
    )


def test_others_take_queued_links_rejected_ones_and_new_ones_and_of_some_nothing_is_told() -> None:
    strategy = breakers.Listens()
    crawl = Rehearsal(strategy, PlantedWeb.plant(0), 0, 80, replace(testing.ROUGH, others=0.5)).run()
    foreign = np.array([o.link for o in strategy.heard if o.tag < 0])
    orphans = crawl.scheduler.graph.in_degree(foreign) == 0
    assert (foreign[~orphans] % 2 == 1).any() and (foreign % 2 == 0).any() and orphans.any()
    told = {o.link for o in strategy.heard}
    assert crawl.gone and not told & set(crawl.gone)
    assert not crawl.scheduler.frontier.is_queued(np.array(crawl.gone)).any()


@pytest.mark.slow
def test_a_mixture_of_filters_reads_a_whole_web_too() -> None:
    def crawl() -> Rehearsal:
        mixture = create("mixture", {"members": "fcosa_lg,wang_landau"})
        return Rehearsal(mixture, PlantedWeb.plant(0, testing.SMALL), 0, 120, Conditions(strict_filter=False))

    whole = crawl().run()
    assert len(whole.fetched) == testing.SMALL
    assert any(call.method == "value_of_rejected" for call in whole.calls)
    assert killed_now_and_then(crawl()).calls == whole.calls


@pytest.mark.slow
def test_a_sound_strategy_outside_the_registry_passes() -> None:
    testing.check_strategy(breakers.Sound)


def test_the_planted_web_is_a_function_of_its_seed() -> None:
    one, same, other = PlantedWeb.plant(3), PlantedWeb.plant(3), PlantedWeb.plant(4)
    assert np.array_equal(one.relevant, same.relevant) and np.array_equal(one.R["LTK_2"], same.R["LTK_2"])
    assert all(np.array_equal(a, b) for a, b in zip(one.out, same.out, strict=True))
    assert not np.array_equal(one.relevant, other.relevant)
    assert 0.08 < one.relevant.mean() < 0.3
    assert all(((R >= 0) & (R <= 1)).all() for R in (*one.R.values(), *one.R_anchor.values()))


def test_a_rehearsal_ends_when_a_strategy_ends_it() -> None:
    class Tired(BreadthFirst):
        """Gives up after five picks."""

        def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
            return super().choose(view, rng, n) if self._picked < 5 else NO_PICKS

    crawl = Rehearsal(Tired(), PlantedWeb.plant(0), 0, 50, Conditions(in_flight=2)).run()
    assert len(crawl.fetched) in (5, 6) and not crawl.scheduler.in_flight
