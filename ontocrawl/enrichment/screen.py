"""The screen of `enrich review`: a proposal with its place, its evidence and the keys, as text of a given size."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ontocrawl.enrichment.wording import FOR_RELATIONS, KEYS, WORDINGS, Language, Wording
from ontocrawl.terminal import styled_lines
from ontocrawl.terminal.cell_width import CUT, cut, cut_around, cut_in_the_middle, padded, wrapped
from ontocrawl.terminal.styled_lines import (
    BOLD,
    DIM,
    HEIGHT,
    PLAIN,
    TERM,
    WIDTH,
    Line,
    drawn,
    ends,
    joined,
    key_lines,
    rule,
    typed_line,
)
from ontology.enrichment import PageSentence
from ontology.printable import one_line
from ontology.terms.wordforms import simplified

if TYPE_CHECKING:
    from ontology.enrichment import Proposal

_LINES = 2
"""Largest number of lines of a sentence."""
_URL = 44
"""Width of the URL below a sentence, at most, where the page has a title."""


@dataclass(frozen=True, slots=True)
class Question:
    """A text that the reviewer types.

    Attributes:
        text: the question.
        typed: what is typed so far.
        cursor: number of characters before the cursor.
        choices: labels that a number chooses, each with its place in the hierarchy.
    """

    text: str
    typed: str = ""
    cursor: int = 0
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """What the screen shows.

    Attributes:
        suggestion: the proposal.
        number, total: its position among those of this session.
        accepted, rejected, later: how many have been.
        path: labels from the root to the class that it names; empty for an unplaced term.
        present: labels of the classes beside a new class, other names of the class of a name.
        is_gone: whether the class that it names is no class any more.
        english: label -> English label, where there is another one.
        titles: URL -> title of the page.
        first: number of the first sentence shown, from 0.
        message: what came of the last key.
        language: language of the screen.
        question: what is asked; None for none.
        is_help: whether the keys are explained in place of the evidence.
    """

    suggestion: Proposal
    number: int
    total: int
    accepted: int = 0
    rejected: int = 0
    later: int = 0
    path: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    is_gone: bool = False
    english: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    first: int = 0
    message: str = ""
    language: Language = "en"
    question: Question | None = None
    is_help: bool = False

    @property
    def wording(self) -> Wording:
        """The texts of its language."""
        return WORDINGS[self.language]

    def shown(self, label: str) -> str:
        """Return a label, on an English screen with the English one.

        A Chinese screen has the label alone.
        """
        english = self.english.get(label, "") if self.language == "en" else ""
        return f"{one_line(label)} ({one_line(english)})" if english else one_line(label)


def render(view: View, width: int = WIDTH, height: int | None = HEIGHT, *, colour: bool = False) -> str:
    """Lay out a proposal.

    Args:
        view: what to show.
        width: width of the terminal in cells, at least 40.
        height: its height in lines; the evidence fills what the rest leaves. None for all sentences.
        colour: whether the term is highlighted by escape sequences; by brackets otherwise.

    Returns:
        Lines without an end; each at most ``width`` cells wide, all together at most ``height``.
    """
    top, bottom = list(_top(view, width)), list(_bottom(view, width))
    room = None if height is None else max(0, height - len(top) - len(bottom))
    body = list(_help(view, width)) if view.is_help else _evidence(view, width, room, colour=colour)
    if room is not None:
        body = [*body[:room], *([] for _ in range(room - len(body)))]
        top = top[: max(0, (height or 0) - len(bottom))]
    return "\n".join(drawn(line, colour=colour) for line in (*top, *body, *bottom))


def cursor_cell(question: Question, width: int) -> int:
    """Return the number of cells before the cursor in the last line, where the text is typed."""
    return styled_lines.cursor_cell(question.typed, question.cursor, width)


def shown_sentences(view: View, width: int, height: int | None) -> int:
    """Return how many sentences fit the screen, so that the next key shows those after them."""
    if height is None:
        return len(view.suggestion.sentences)
    room = max(0, height - len(list(_top(view, width))) - len(list(_bottom(view, width))))
    return len(_fitting(view, width, room))


# ---- parts of the screen --------------------------------------------------------------------------------------------


def _top(view: View, width: int) -> Iterator[Line]:
    one, wording = view.suggestion, view.wording
    counts = wording.text("counts", view.accepted, view.rejected, view.later)
    yield ends(f"{one.topic}  {view.number}/{view.total}", counts, width, DIM)
    yield rule(width)
    if one.kind == "relation":
        named = (view.shown(one.term), view.shown(one.target_label or "?"))
        term = wording.relations.get(one.relation, f"{{}} {one.relation} {{}}").format(*named)
    else:
        term = one_line(one.term)
    kind = wording.kinds[one.kind]
    yield [(padded(term, width - cell_len(kind) - 1), BOLD), (f" {kind}", PLAIN)]
    rows = dict(_rows(view))
    names = [wording.rows[name] for name in rows]
    indent = max(map(cell_len, names)) + 2
    for name, text in zip(names, rows.values(), strict=True):
        yield [(padded(name, indent), DIM), (cut(text, width - indent), PLAIN)]
    yield rule(width)


def _rows(view: View) -> Iterator[tuple[str, str]]:
    """Yield name and text of the rows above the evidence."""
    one, wording = view.suggestion, view.wording
    label = view.path[-1] if view.path else one.target_label or one.target or ""
    if view.is_gone:
        place = wording.text("gone", one_line(label))
    else:
        place = view.shown(label) if label else wording.text("unplaced")
    if one.kind != "relation" or view.is_gone:
        yield ("class" if one.kind == "label" else "parent" if one.kind == "concept" else "relation"), place
    if one.reason or one.rule:
        yield "reason", one_line(one.reason or str(one.rule))
    if len(view.path) > 1:
        yield "path", _path(view.path, WIDTH - 12)
    if label and one.kind != "relation":
        listed = ", ".join(view.shown(name) for name in view.present)
        count = f"{len(view.present)}: {listed}" if listed else wording.text("none")
        yield ("names" if one.kind == "label" else "children"), count
    if one.places:
        yield "near", "  ".join(f"{number} {view.shown(place)}" for number, place in enumerate(one.places, 1))
    if one.crawls:
        yield "seen", _seen(one, wording)


def _path(labels: Sequence[str], width: int) -> str:
    """Return a path with its end in sight: classes near the root are left out first."""
    kept = [one_line(label) for label in labels]
    while len(kept) > 2 and cell_len(" > ".join(kept)) > width:
        kept = [CUT, *kept[2 if kept[0] == CUT else 1 :]]
    return " > ".join(kept)


def _seen(one: Proposal, wording: Wording) -> str:
    """Return on how many pages of which crawls a proposal was found."""
    found = wording.text("seen", one.pages, f"{one.score:.2f}")
    if len(one.crawls) == 1:
        return found + wording.text("in_crawl") + one_line(next(iter(one.crawls)))
    named = ", ".join(
        wording.text("crawl", one_line(run), support.pages)
        for run, support in sorted(one.crawls.items(), key=lambda item: (-item[1].pages, item[0]))
    )
    return found + (wording.text("in_crawls", len(one.crawls)) + named if named else "")


def _evidence(view: View, width: int, room: int | None, *, colour: bool) -> list[Line]:
    sentences = view.suggestion.sentences
    if not sentences:
        return [[(view.wording.text("no_sentence"), DIM)]]
    lines: list[Line] = []
    shown = _fitting(view, width, room)
    for number, sentence in shown:
        lines += _sentence(number, sentence, view, width, colour=colour)
    if len(shown) < len(sentences):
        first = view.first
        note = view.wording.text("sentences", first + 1, first + len(shown), len(sentences))
        lines.append([(cut(f"{note} (e)" if len(shown) else note, width), DIM)])
    return lines


def _fitting(view: View, width: int, room: int | None) -> list[tuple[int, PageSentence]]:
    """Return the sentences that fit, with their numbers from 1; one line is kept for their count."""
    listed = list(enumerate(view.suggestion.sentences, 1))[view.first :]
    if room is None:
        return listed
    fitting: list[tuple[int, PageSentence]] = []
    for number, sentence in listed:
        is_last = number == len(view.suggestion.sentences) and view.first == 0
        room -= len(list(_sentence(number, sentence, view, width, colour=False)))
        if room < (0 if is_last else 1) and fitting:
            break
        fitting.append((number, sentence))
    return fitting


def _sentence(number: int, sentence: PageSentence, view: View, width: int, *, colour: bool) -> Iterator[Line]:
    """Yield the lines of a sentence: at most two around the term, then the date, title and URL of its page."""
    mark = f"{number} "
    room = width - len(mark)
    before, term, after = cut_around(*parts(sentence, view.suggestion.term), (room - 2) * _LINES - 2)
    brackets = ("", "") if colour or not term else ("[", "]")
    styled = [(before + brackets[0], PLAIN), (term, TERM), (brackets[1] + after, PLAIN)]
    lines = list(wrapped(((c, style) for text, style in styled for c in text), room))
    for position, line in enumerate(lines):
        yield [(mark if position == 0 else " " * len(mark), DIM), *joined(line)]
    title = one_line(view.titles.get(sentence.url, ""))
    day = sentence.fetched[:10]
    url = cut_in_the_middle(one_line(sentence.url), min(_URL if title else room, room - cell_len(day) - 2))
    left = room - cell_len(url) - len(day) - 4
    shown = [day, cut(title, left) if title and left > len(CUT) + 1 else "", url]
    yield [(" " * len(mark), PLAIN), ("  ".join(filter(None, shown)), DIM)]


def parts(sentence: PageSentence, term: str) -> tuple[str, str, str]:
    """Return a sentence before, in and after its term, made printable; without offsets the term is searched."""
    start, end = sentence.start, sentence.end
    if not 0 <= start < end <= len(sentence.text):
        start = simplified(unicodedata.normalize("NFC", sentence.text)).casefold().find(simplified(term).casefold())
        start, end = (start, start + len(term)) if start >= 0 else (0, 0)
    cut_up = (sentence.text[:start], sentence.text[start:end], sentence.text[end:])
    before, middle, after = (one_line(part) for part in cut_up)
    blank_before = " " if before and cut_up[0][-1:].isspace() else ""
    blank_after = " " if after and cut_up[2][:1].isspace() else ""
    return before + blank_before, middle, blank_after + after


def _help(view: View, width: int) -> Iterator[Line]:
    for step, key in KEYS.items():
        yield [(f" {key} ", BOLD), (cut(view.wording.help[step], width - 3), PLAIN)]


def _bottom(view: View, width: int) -> Iterator[Line]:
    """Yield the message and the keys, or the question with its choices and what is typed."""
    yield [(cut(view.message, width), BOLD)]
    if view.question is None:
        yield from _keys(view, width)
        return
    yield [(cut(view.question.text, width), PLAIN)]
    for number, (label, path) in enumerate(view.question.choices, 1):
        shown = cut(f" {number} {view.shown(label)}", width)
        left = width - cell_len(shown) - 3
        yield [(shown, PLAIN), (f"   {cut(_path(path, left), left)}" if left > 8 and len(path) > 1 else "", DIM)]
    yield typed_line(view.question.typed, view.question.cursor, width)


def _keys(view: View, width: int) -> Iterator[Line]:
    allowed = FOR_RELATIONS if view.suggestion.kind == "relation" else KEYS.keys()
    return key_lines(((key, view.wording.steps[step]) for step, key in KEYS.items() if step in allowed), width)
