"""Two sessions of `ontology settle` on one folder at once: no answer and no decision is lost or written twice."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from ontocrawl.base.workspace import find
from ontocrawl.settling import state
from ontocrawl.settling.replies import parse
from ontocrawl.settling.session import Asked, Session
from ontocrawl.settling.state import FILE, AnsweredMeanwhile
from ontocrawl.settling.wording import Wording
from ontology.decisions import in_force, table
from tests.ontocrawl.conftest import Command

EN = Wording("en", {})
TERMS = ("山洪", "洪水", "台风")
Begin = Callable[[str], Session]


@pytest.fixture
def begin(flood_folder: Path, tmp_path: Path) -> Begin:
    """Begin a session of a person about the three terms."""
    work = find(tmp_path / "work")[0]
    return lambda who: Session(work, flood_folder, terms=TERMS, who=who, now="2026-01-01T00:00:00+00:00")


def say(session: Session, text: str, asked: Asked | None = None) -> None:
    asked = asked or session.question()
    assert asked is not None
    session.answer(asked, parse(text, asked.choices, session.names, asked.suggested))


def saved(folder: Path) -> list[tuple[tuple[str, ...], str]]:
    return [(answer.about, answer.who) for answer in state.load(folder / FILE).records[-1].answers]


def test_answers_to_other_questions_are_taken_up(begin: Begin, flood_folder: Path) -> None:
    one, two = begin("A"), begin("B")
    typhoon = next(asked for asked in two.open_questions() if asked.about == ("台风",))
    two.postpone(next(asked for asked in two.open_questions() if asked.about == ("洪水",)))
    say(one, "洪水")
    say(two, "0", typhoon)
    assert saved(flood_folder) == [(("山洪",), "A"), (("台风",), "B")]
    assert two.question() is None and len(two.open_questions()) == 1  # what B put off is still put off


def test_a_question_that_was_answered_meanwhile_is_not_recorded(begin: Begin, flood_folder: Path) -> None:
    one, two = begin("A"), begin("B")
    asked = two.question()
    say(one, "洪水")
    with pytest.raises(AnsweredMeanwhile, match="the last answer is by A"):
        say(two, "0", asked)
    assert saved(flood_folder) == [(("山洪",), "A")]
    following = two.question()
    assert following is not None and following.about == ("台风",)
    say(two, "0", following)
    assert saved(flood_folder) == [(("山洪",), "A"), (("台风",), "B")]


def test_an_answer_of_another_session_is_not_taken_back_unseen(begin: Begin, flood_folder: Path) -> None:
    one, two = begin("A"), begin("B")
    say(one, "洪水")
    with pytest.raises(AnsweredMeanwhile):
        two.undo()
    seen = two.revision
    assert two.undo(seen) is not None and saved(flood_folder) == []
    with pytest.raises(AnsweredMeanwhile, match="the answers have changed meanwhile: look"):
        begin("C").undo(seen)


def test_decisions_of_two_sessions_are_written_once(begin: Begin, flood_folder: Path) -> None:
    one, two = begin("A"), begin("B")
    typhoon = next(asked for asked in two.open_questions() if asked.about == ("台风",))
    say(one, "洪水")
    assert len(one.finish(EN).added) == 2
    say(two, "0", typhoon)
    assert [(d.action, d.term) for d in two.finish(EN).added] == [("reject", "台风"), ("reject", "台风")]
    rows = [(d.action, d.term, d.value) for d in in_force(table.read(flood_folder / table.FILE))]
    assert len(rows) == len(set(rows)) == 4
    assert one.undo(two.revision) is not None
    assert {d.value for d in one.finish(EN).withdrawn} == {"d3", "d4"}


def test_terms_that_the_ontology_has_lost_can_be_taken_back(begin: Begin, flood_folder: Path) -> None:
    one = begin("A")
    say(one, "洪水")
    path = flood_folder / FILE
    path.write_text(path.read_text(encoding="utf-8").replace("台风", "龙卷风"), encoding="utf-8")
    later = Session(one.space, flood_folder, terms=("山洪", "洪水", "龙卷风"), who="B")
    assert later.undo() is not None


def test_a_dialogue_shows_the_question_as_it_is_now(
    begin: Begin, command: Command, monkeypatch: pytest.MonkeyPatch, flood_folder: Path, tmp_path: Path
) -> None:
    class Meanwhile(io.StringIO):
        """A terminal, during whose first question another session answers."""

        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # as StringIO itself
            if self.tell() == 0:
                say(begin("A"), "洪水")
            return super().readline(-1 if size is None else size)

    monkeypatch.setattr("sys.stdin", Meanwhile("0\n0\nq\n"))
    names = ("--terms", ",".join(TERMS), "--who", "B")
    answer = command("ontology", "settle", flood_folder, "--workspace", tmp_path / "work", *names)
    assert answer.code == 0
    assert "the answers have changed meanwhile (the last one is by A); nothing was recorded" in answer.out
    assert saved(flood_folder) == [(("山洪",), "A"), (("台风",), "B")]
