"""Several reviewers at once: no verdict is replaced unseen, none is lost, and neither is what was put off."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import reviewing
from ontocrawl.enrichment.reviewing import DecidedMeanwhile, VerdictError
from ontocrawl.topics import reviewed, topics
from ontology.enrichment import Verdict
from tests.ontocrawl.enrichment.review_samples import concept

WHEN = "2026-11-25T08:00:00+00:00"
ID = "rainstorm/海绵城市"


@pytest.fixture
def own(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


def standing(space: Workspace) -> dict[str, reviewed.Reviewed]:
    return dict(reviewed.record_of(space, "rainstorm").standing)


def at_once(works: list[Callable[[], object]]) -> list[object]:
    """Run functions in threads; return what each returned or raised."""

    def caught(work: Callable[[], object]) -> object:
        try:
            return work()
        except DecidedMeanwhile as error:
            return error

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(caught, works))


def test_of_several_reviewers_of_one_proposal_one_decides_and_the_others_are_told(own: Workspace) -> None:
    topic = topics.load("rainstorm", own)

    def by(who: str) -> Callable[[], object]:
        verdict = Verdict("reject") if who in "ab" else Verdict("accept")
        return lambda: reviewing.decide_all(own, topic, [(concept(), verdict)], who=who, when=WHEN, seen={ID: ()})

    found = at_once([by(who) for who in "abcd"])
    told = [one for one in found if isinstance(one, DecidedMeanwhile)]
    assert len(told) == 3
    last = standing(own)[ID]
    assert {error.standing.who for error in told} == {last.who}
    assert len(reviewed.record_of(own, "rainstorm").verdicts) == 1
    assert f"{last.who} has decided meanwhile" in str(told[0])


def test_verdicts_about_different_proposals_at_once_are_all_kept(own: Workspace) -> None:
    topic = topics.load("rainstorm", own)
    some = [replace(concept(f"新术语{n}"), id=f"rainstorm/新术语{n}") for n in range(8)]
    at_once([
        lambda one=one: reviewing.decide_all(  # type: ignore[misc]
            own, topic, [(one, Verdict("accept"))], who="x", when=WHEN, seen={one.id: ()}
        )
        for one in some
    ])  # fmt: skip
    assert standing(own).keys() == {one.id for one in some}


def test_undo_takes_back_no_verdict_that_came_after(own: Workspace) -> None:
    topic = topics.load("rainstorm", own)
    [mine] = reviewing.decide_all(own, topic, [(concept(), Verdict("reject"))], who="me", when=WHEN, seen={ID: ()})
    seen = {ID: [d.id for d in mine]}
    reviewing.decide_all(
        own, topic, [(concept(), Verdict("accept"))], who="other", when=WHEN
    )  # without what it saw: replaces
    with pytest.raises(DecidedMeanwhile):
        reviewing.undo_all(own, topic, [ID], who="me", when=WHEN, seen=seen)
    assert standing(own)[ID].who == "other"
    reviewing.undo_all(own, topic, [ID], who="other", when=WHEN)
    [again] = reviewing.decide_all(own, topic, [(concept(), Verdict("reject"))], who="me", when=WHEN, seen=seen)
    assert again, "a verdict that was withdrawn meanwhile hides nothing"


def test_many_are_decided_and_undone_all_or_none(own: Workspace) -> None:
    topic = topics.load("rainstorm", own)
    some = [replace(concept(f"新术语{n}"), id=f"rainstorm/新术语{n}") for n in range(3)]
    verdicts = [(one, Verdict("reject")) for one in some]
    seen = {one.id: () for one in some}
    reviewing.decide_all(own, topic, [(some[1], Verdict("accept"))], who="other", when=WHEN)
    with pytest.raises(DecidedMeanwhile):
        reviewing.decide_all(own, topic, verdicts, who="me", when=WHEN, seen=seen)
    assert list(standing(own)) == [some[1].id]
    reviewing.undo_all(own, topic, [some[1].id], who="other", when=WHEN)
    made = reviewing.decide_all(own, topic, verdicts, who="me", when=WHEN, seen=seen)
    known = {one.id: [d.id for d in rows] for one, rows in zip(some, made, strict=True)}
    rows = reviewing.undo_all(own, topic, list(known), who="me", when=WHEN, seen=known)
    assert [row.value for row in rows] == [id_ for ids in known.values() for id_ in ids]
    assert not standing(own)


def test_what_several_sessions_put_off_is_all_kept(own: Workspace) -> None:
    at_once([lambda n=n: reviewing.change(own, "rainstorm", add=[f"id{n}"]) for n in range(8)])  # type: ignore[misc]
    assert sorted(reviewing.read(own, "rainstorm")) == [f"id{n}" for n in range(8)]
    reviewing.change(own, "rainstorm", add=["id3"], remove=["id0"])
    assert reviewing.read(own, "rainstorm")[-1] == "id3" and "id0" not in reviewing.read(own, "rainstorm")


@pytest.mark.parametrize("name", ["123", "长" * 101], ids=["digits", "long"])
def test_what_is_no_name_of_a_class_is_refused(own: Workspace, name: str) -> None:
    topic = topics.load("rainstorm", own)
    with pytest.raises(VerdictError, match="a name needs a letter"):
        reviewing.decide_all(own, topic, [(concept(), Verdict("rename", name))], who="me", when=WHEN)
