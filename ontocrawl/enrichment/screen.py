"""The screen of `enrich review`: the lines of a proposal, its place above its evidence."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ontocrawl.enrichment.wording import KINDS, RELATIONS, ROWS, TEXTS
from ontocrawl.terminal.cell_width import CUT, cut, cut_around, cut_in_the_middle, padded, wrapped
from ontocrawl.terminal.dialogue import (
    BOLD,
    DIM,
    PLAIN,
    TERM,
    WIDTH,
    Language,
    Line,
    Pair,
    ends,
    joined,
    rule,
    shown_path,
)
from ontology.enrichment import PageSentence
from ontology.errors import told
from ontology.printable import one_line
from ontology.terms.wordforms import simplified

if TYPE_CHECKING:
    from ontology.enrichment import Proposal

_LINES = 2
"""Largest number of lines of a sentence."""
_URL = 44
"""Width of the URL below a sentence, at most, where the page has a title."""


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
        language: language of the screen.
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
    language: Language = "en"

    def word(self, words: Mapping[str, Pair], name: str, *inserted: object) -> str:
        """Return a word or a text in its language."""
        return words[name][self.language == "zh"].format(*inserted)

    def shown(self, label: str) -> str:
        """Return a label, on an English screen with the English one.

        A Chinese screen has the label alone.
        """
        english = self.english.get(label, "") if self.language == "en" else ""
        return f"{one_line(label)} ({one_line(english)})" if english else one_line(label)


def head(view: View, width: int) -> Iterator[Line]:
    """Yield the lines above the evidence: counts, the proposal, its place."""
    one = view.suggestion
    counts = view.word(TEXTS, "counts", view.accepted, view.rejected, view.later)
    yield ends(f"{one.topic}  {view.number}/{view.total}", counts, width, DIM)
    yield rule(width)
    if one.kind == "relation":
        named = (view.shown(one.term), view.shown(one.target_label or "?"))
        known = one.relation in RELATIONS
        term = view.word(RELATIONS, one.relation, *named) if known else f" {one.relation} ".join(named)
    else:
        term = one_line(one.term)
    kind = view.word(KINDS, one.kind)
    yield [(padded(term, width - cell_len(kind) - 1), BOLD), (f" {kind}", PLAIN)]
    rows = dict(_rows(view))
    names = [view.word(ROWS, name) for name in rows]
    indent = max(map(cell_len, names)) + 2
    for name, text in zip(names, rows.values(), strict=True):
        yield [(padded(name, indent), DIM), (cut(text, width - indent), PLAIN)]
    yield rule(width)


def _rows(view: View) -> Iterator[tuple[str, str]]:
    """Yield name and text of the rows above the evidence."""
    one = view.suggestion
    label = view.path[-1] if view.path else one.target_label or one.target or ""
    if view.is_gone:
        place = view.word(TEXTS, "gone", one_line(label))
    else:
        place = view.shown(label) if label else view.word(TEXTS, "unplaced")
    if one.kind != "relation" or view.is_gone:
        yield ("class" if one.kind == "label" else "parent" if one.kind == "concept" else "relation"), place
    if one.reason or one.rule:
        yield "reason", one_line(told(one.reason or str(one.rule), "enrichment.reason_", view.language))
    if len(view.path) > 1:
        yield "path", shown_path(view.path, WIDTH - 12)
    if label and one.kind != "relation":
        listed = ", ".join(view.shown(name) for name in view.present)
        count = f"{len(view.present)}: {listed}" if listed else view.word(TEXTS, "none")
        yield ("names" if one.kind == "label" else "children"), count
    if one.places:
        yield "near", "  ".join(f"{number} {view.shown(place)}" for number, place in enumerate(one.places, 1))
    if one.crawls:
        yield "seen", _seen(view)


def _seen(view: View) -> str:
    """Return on how many pages of which crawls a proposal was found."""
    one = view.suggestion
    found = view.word(TEXTS, "seen", one.pages, f"{one.score:.2f}")
    if len(one.crawls) == 1:
        return found + view.word(TEXTS, "in_crawl") + one_line(next(iter(one.crawls)))
    named = ", ".join(
        view.word(TEXTS, "crawl", one_line(run), support.pages)
        for run, support in sorted(one.crawls.items(), key=lambda item: (-item[1].pages, item[0]))
    )
    return found + (view.word(TEXTS, "in_crawls", len(one.crawls)) + named if named else "")


def evidence(view: View, width: int, room: int | None, first: int, *, colour: bool) -> tuple[list[Line], int]:
    """Return the sentences that fit, and where these are not all a line with their numbers.

    Args:
        view: the proposal.
        width: width of the screen in cells.
        room: number of lines; None for all.
        first: number of the first sentence, from 0.
        colour: whether the term is highlighted by escape sequences; by brackets otherwise.

    Returns:
        The lines, and the number of the first sentence after them; 0 where there is none.
    """
    sentences = view.suggestion.distinct_sentences
    if not sentences:
        return [[(view.word(TEXTS, "no_sentence"), DIM)]], 0
    lines: list[Line] = []
    end = first
    for number, sentence in enumerate(sentences[first:], first + 1):
        shown = list(_sentence(number, sentence, view, width, colour=colour))
        left = 0 if room is None else room - len(lines) - len(shown)
        if left < (0 if number == len(sentences) and first == 0 else 1) and room is not None and end > first:
            break
        lines += shown
        end = number
    if (first, end) != (0, len(sentences)):
        note = view.word(TEXTS, "sentences", first + 1, end, len(sentences))
        lines.append([(cut(f"{note} (e)", width), DIM)])
    return lines, end % len(sentences)


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
