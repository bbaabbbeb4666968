"""The dialogue that `enrich review`, `ontology settle` and `lab label` share: by keys, by lines, and taken back."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import enrich
from kg.store import GraphStore
from ontocrawl.base import workspace
from ontocrawl.cli.output import stdout
from ontocrawl.enrichment import reviewing
from ontocrawl.enrichment import session as review
from ontocrawl.enrichment import wording as review_words
from ontocrawl.lab.labelling import Labelling, sample
from ontocrawl.lab.labelling import screen as labels
from ontocrawl.settling import replies, state
from ontocrawl.settling.dialogue import SettleDialogue
from ontocrawl.settling.session import Session
from ontocrawl.settling.wording import Wording
from ontocrawl.terminal import keys
from ontocrawl.terminal.dialogue import (
    HELP,
    LATER,
    MORE,
    PLAIN,
    QUIT,
    TEXTS,
    UNDO,
    Choice,
    Dialogue,
    KeyDialogue,
    Line,
    Step,
    meant,
)
from ontocrawl.terminal.keys import Key, Keys
from ontocrawl.topics import reviewed, topics
from ontology.enrichment import Verdict
from tests.ontocrawl import flood_ontology
from tests.ontocrawl.enrichment.review_samples import concept

WHEN = "2026-11-25T08:00:00+00:00"


class Numbers(KeyDialogue):
    """A dialogue about numbers, with two answers and a name."""

    steps = (
        Step("yes", "y", "y 是", ("yes", "是"), ("it is", "是")),
        Step("no", "n", "n", ("no", "不"), ("it is not", "不是")),
        Step("name", "t", "t", ("name", "名称"), ("give a name", "取名")), MORE, UNDO, HELP, QUIT,
    )  # fmt: skip
    texts: ClassVar = {
        **TEXTS,
        "said": ("{}: {}", "{}：{}"), "ask": ("The name:", "名称："), "end": ("that was all", "完了"),
    }  # fmt: skip
    asks: ClassVar = {"name": "ask"}

    def __init__(self, count: int = 3) -> None:
        super().__init__("en")
        self.answers: list[tuple[int, str]] = []
        self.count = count

    @property
    def current(self) -> int | None:
        return len(self.answers) if len(self.answers) < self.count else None

    def head(self, width: int) -> Iterator[Line]:
        yield [(f"number {self.current}", PLAIN)]

    def body(self, width: int, room: int | None, *, colour: bool) -> tuple[Sequence[Line], int]:
        end = 9 if room is None else min(9, self.first + room)
        return [[(f"part {n}", PLAIN)] for n in range(self.first, end)], end % 9

    def choices(self, step: str, typed: str) -> Sequence[Choice]:
        return tuple(Choice(name, name) for name in ("one", "two") if name.startswith(typed))

    def do(self, step: str, text: str, choices: Sequence[Choice]) -> bool:
        if step == "name":
            text = choices[int(text) - 1].label if text.isdecimal() and int(text) <= len(choices) else text
            if not text:
                self.message = "no name"
                return False
        self.say("said", str(self.current), text or step)
        self.answers.append((len(self.answers), text or step))
        return True

    def take_back(self) -> str | None:
        return str(self.answers.pop()[0]) if self.answers else None

    def ending(self) -> str:
        return self.text("end")


def by_lines(dialogue: Dialogue, *lines: str) -> None:
    """Answer by lines of a pipe."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        dialogue.run(stdout)


def by_keys(dialogue: KeyDialogue, *pressed: str | Key) -> list[str]:
    """Answer by keys, one character each; return the screens."""
    screens: list[str] = []
    each = iter([*(Key(key, is_text=len(key) == 1) if not isinstance(key, Key) else key for key in pressed)])

    class Pressed(Keys):
        def __init__(self) -> None:
            pass

        def next(self) -> Key:
            return next(each, Key("end_of_input"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_COLOR", "1")
        patch.setattr(keys, "draw", lambda text, cursor=None: screens.append(text))
        dialogue.press(Pressed())
    return screens


# ---- keys and lines -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", [0, 1])
def test_shared_steps_have_the_same_key_and_words_everywhere(language: int) -> None:
    dialogues = (review_words.STEPS, labels.STEPS)
    for shared in (LATER, UNDO, HELP, QUIT):
        for steps in dialogues:
            same = [step for step in steps if step.name == shared.name]
            taken = [step for step in steps if shared.key in step.words.split() and step.name != shared.name]
            assert all(step.key == shared.key and step.label[language] for step in same) and not taken
        assert meant(shared.key, replies.WORDS) == shared.name
    for steps in dialogues:
        words = [word for step in steps for word in step.words.split()]
        assert len(words) == len(set(words)) and {step.key for step in steps} <= set(words)
    assert [meant(word, review_words.COMMANDS) for word in ("ａ", "？", "接受", "接")] == [
        "accept",
        "help",
        "accept",
        None,
    ]


def test_all_texts_are_in_both_languages() -> None:
    tables = (TEXTS, review_words.TEXTS, review_words.KINDS, review_words.ROWS, review_words.RELATIONS, labels.TEXTS)
    for table in tables:
        for name, (english, chinese) in table.items():
            assert english and chinese and english.count("{") == chinese.count("{"), name


def test_keys_are_steps_and_pasted_text_is_not() -> None:
    dialogue = Numbers()
    screens = by_keys(dialogue, Key("y", is_text=True, is_pasted=True), "up", "resize", "Ｙ", "n", "u", "q", "y")
    assert dialogue.answers == [(0, "yes")]
    assert [screen.split("\n")[0] for screen in screens] == [f"number {n}" for n in (0, 0, 0, 0, 1, 2, 1)]
    assert "press one of the keys below" in screens[1] and "taken back: 1" in screens[6]
    assert screens[0].split("\n")[-1] == "y yes  n no  t name  e more  u undo  h help  q quit"


def test_a_text_is_typed_until_it_is_taken() -> None:
    dialogue = Numbers()
    screens = by_keys(dialogue, "t", "enter", "t", "w", "tab", "enter", "t", "1", "enter", "t", "x", "escape", "q")
    assert dialogue.answers == [(0, "two"), (1, "one")]
    assert "Tab: complete" in screens[1] and screens[1].endswith("The name:\n 1 one\n 2 two\n>")
    assert "no name" in screens[2]


def test_the_end_can_be_taken_back_by_keys_and_by_lines(capsys: pytest.CaptureFixture[str]) -> None:
    dialogue = Numbers(1)
    screens = by_keys(dialogue, "y", "resize", "u", "n", "x")
    assert dialogue.answers == [(0, "no")] and screens[1] == "0: yes\n\nthat was all"
    by_lines(again := Numbers(1), "y", "undo", "n", "")
    printed = capsys.readouterr().out
    assert again.answers == dialogue.answers and printed.count("that was all") == 2 and printed.count("number 0") == 2


def test_what_is_shown_already_is_not_printed_again(capsys: pytest.CaptureFixture[str]) -> None:
    by_lines(Numbers(), "z", "", "e", "h", "帮助", "t", "2", "q", "y")
    printed = capsys.readouterr().out
    assert "'z' is no command: expected one of y, n, t, e, u, h, q" in printed and "this is all" in printed
    assert printed.count("number 0") == 3 and printed.count("it is not") == 1, "the help replaces the body"
    assert "> t\nThe name:\n 1 one\n 2 two\n>> 2\n" in printed and "0: two" in printed and "number 2" not in printed


@given(st.text(alphabet="yntueh", max_size=12))
def test_keys_and_lines_leave_the_same_answers(steps: str) -> None:
    keyed, typed = Numbers(50), Numbers(50)
    by_keys(keyed, *(key for step in steps for key in ([step, "x", "enter"] if step == "t" else [step])))
    by_lines(typed, *("t x" if step == "t" else step for step in steps))
    assert keyed.answers == typed.answers


def test_a_name_that_comes_too_late_is_not_asked_for_again(tmp_path: Path) -> None:
    session, _ = reviewed_proposals(tmp_path)
    assert isinstance(session, review.Session) and session.current is not None
    first = session.current
    reviewing.decide_all(session.space, session.topic, [(first, Verdict("reject"))], who="li", when=WHEN)
    screens = by_keys(session, "n", "甲", "enter", "q")
    assert f"{first.term}: li has decided meanwhile: rejected" in screens[-1]
    assert session.current not in (None, first) and not session.verdicts


# ---- what is taken back leaves nothing, in each of the three --------------------------------------------------------


Opened = tuple[Dialogue, Callable[[], object]]
"""A dialogue, and what returns all that it has stored."""


def settled(folder: Path) -> Opened:
    """A new session of `ontology settle`."""
    space, _ = workspace.find(folder / "work")
    terms = ("山洪", "洪水", "台风", "风暴潮", "现象")
    built = folder / "learned"
    session = Session(space, built if built.exists() else flood_ontology.written(built), terms=terms, now=WHEN)
    return SettleDialogue(session, Wording("en", {})), lambda: state.load(built / state.FILE).about("", terms).answers


def labelled(folder: Path) -> Opened:
    """A new session of `lab label`, about pages without a journal."""
    drawn = sample.Sample(
        0, 6, 6, tuple(sample.SampledPage(n, f"http://a.example/{n}", "d", "s", 1.0) for n in range(6))
    )

    class OfPages(Labelling):
        def __init__(self) -> None:
            self.by, self.now, self.folder, self.sample = "zhang", lambda: WHEN, folder, drawn
            self._pages = {page.url: page for page in drawn.pages}
            self._labels, self.labelled = {}, {}

        def title_and_text(self) -> tuple[str, str]:
            return "title", "text"

    digests = {page.url: page.digest for page in drawn.pages}
    return labels.LabelDialogue(OfPages(), "floods"), lambda: [
        (one.url, one.label, one.note)
        for one in sample.standing(sample.read_labels(folder, digests)).get("zhang", {}).values()
    ]


def reviewed_proposals(folder: Path) -> Opened:
    """A new session of `enrich review`, without a graph."""
    space = workspace.init(folder / "ws")
    some = [replace(concept(f"新术语{n}"), id=f"rainstorm/新术语{n}", sentences=()) for n in range(4)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(enrich, "titles", lambda graph, urls: {})
        session = review.Session(
            space, cast(GraphStore, None), topics.load("rainstorm", space), some, who="zhang", now=lambda: WHEN
        )

    def stored() -> tuple[Any, ...]:
        standing = reviewed.record_of(space, "rainstorm").standing
        return {id_: one.verdict for id_, one in standing.items()}, set(reviewing.read(space, "rainstorm"))

    return session, stored


def play(opened: Opened, lines: Sequence[str]) -> tuple[object, list[str]]:
    """Answer by lines; return what is stored at the end, and the lines that were answers and not taken back."""
    dialogue, stored = opened
    kept: list[str] = []
    for line in lines:
        if dialogue.current is None and line != "u":
            continue
        before = stored()
        if dialogue.current is None:
            dialogue.undo()
        else:
            dialogue.reply(line, stdout)
        if line == "u":
            del kept[-1:]
        elif stored() != before:
            kept.append(line)
    return stored(), kept


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opened", "answers"),
    [
        (settled, ["0", "y", "n", "1", "n : x", "junk", "?"]),
        (labelled, ["y", "n", "?", "n a list of links", "m", "h"]),
        (reviewed_proposals, ["r", "a", "l", "n 甲型术语", "m 洪水", "m", "h"]),
    ],
    ids=["settle", "label", "review"],
)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_what_is_taken_back_leaves_nothing(
    opened: Callable[[Path], Opened], answers: list[str], data: st.DataObject
) -> None:
    steps = data.draw(st.lists(st.sampled_from([*answers, "u", "u"]), max_size=8))
    with TemporaryDirectory() as one, TemporaryDirectory() as other, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO(""))
        found, kept = play(opened(Path(one)), steps)
        assert (found, kept) == play(opened(Path(other)), kept)
