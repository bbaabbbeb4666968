"""The screen of `lab label`: a page of the sample and the keys, as text of a given size; nothing of the judge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ontocrawl.lab.labelling.wording import KEYS, WORDINGS, Language, Wording
from ontocrawl.terminal.cell_width import cut, cut_in_the_middle, wrapped
from ontocrawl.terminal.styled_lines import BOLD, DIM, PLAIN, Line, drawn, ends, key_lines, rule, typed_line
from ontology.printable import one_line, printable


@dataclass(frozen=True, slots=True)
class View:
    """What the screen shows.

    Attributes:
        topic: the topic, in words.
        number: position of the page among those of the sample, from 1.
        total: number of these.
        title: its title.
        url: its URL.
        text: its text, as its server sent it.
        first: number of the first line of text shown, from 0.
        message: what came of the last key.
        note: the note that is kept with the next label.
        language: language of the screen.
        typed: the note while it is typed, and the number of characters before the cursor; None for none.
        is_help: whether the keys are explained in place of the text.
    """

    topic: str
    number: int
    total: int
    title: str
    url: str
    text: str
    first: int = 0
    message: str = ""
    note: str = ""
    language: Language = "en"
    typed: tuple[str, int] | None = None
    is_help: bool = False

    @property
    def wording(self) -> Wording:
        """The texts of its language."""
        return WORDINGS[self.language]


def render(view: View, width: int, height: int, *, colour: bool = False, filled: bool = True) -> str:
    """Lay out a page.

    Args:
        view: what to show.
        width: width of the terminal in cells, at least 40.
        height: its height in lines.
        colour: whether styles are shown by escape sequences.
        filled: whether blank lines fill the height.

    Returns:
        Lines without an end; each at most ``width`` cells wide, all together at most ``height``.
    """
    top, bottom = list(_top(view, width)), list(_bottom(view, width))
    room = max(0, height - len(top) - len(bottom))
    body = list(_help(view, width)) if view.is_help else _text(view, width, room)
    body = [*body[:room], *([] for _ in range(room - len(body) if filled else 0))]
    return "\n".join(drawn(line, colour=colour) for line in (*top[: max(0, height - len(bottom))], *body, *bottom))


def shown_lines(view: View, width: int, height: int) -> int:
    """Return how many lines of text fit the screen; one is kept for their numbers."""
    return max(1, height - len(list(_top(view, width))) - len(list(_bottom(view, width))) - 1)


def has_lines(view: View, width: int, first: int) -> bool:
    """Return whether the text has a line with a number, from 0."""
    return next(islice(_wrapped(view.text, width), first, None), None) is not None


def _top(view: View, width: int) -> Iterator[Line]:
    question = view.wording.text("question", one_line(view.topic))
    yield ends(f"{view.number}/{view.total}", question, width, BOLD)
    yield rule(width)
    yield [(cut(one_line(view.title) or view.wording.text("no_title"), width), BOLD)]
    yield [(cut_in_the_middle(one_line(view.url), width), DIM)]
    yield rule(width)


def _text(view: View, width: int, room: int) -> list[Line]:
    """Return the lines of text that fit, and their numbers where these are not all."""
    lines = list(islice(_wrapped(view.text, width), view.first, view.first + room + 1))
    if not lines:
        return [[(view.wording.text("no_text"), DIM)]]
    if len(lines) <= room and view.first == 0:
        return [[(line, PLAIN)] for line in lines]
    shown = lines[: max(1, room - 1)]
    numbers = (view.first + 1, view.first + len(shown))
    is_end = len(lines) == len(shown)
    note = view.wording.text("lines_of", *numbers, numbers[1]) if is_end else view.wording.text("lines", *numbers)
    return [*([(line, PLAIN)] for line in shown), [(cut(f"{note} ({KEYS['more']})", width), DIM)]]


def _wrapped(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text as they fit the width, without empty ones."""
    for paragraph in printable(text).splitlines():
        for line in wrapped(((character, PLAIN) for character in one_line(paragraph)), width):
            yield "".join(character for character, _ in line)


def _help(view: View, width: int) -> Iterator[Line]:
    for step, key in KEYS.items():
        yield [(f" {key} ", BOLD), (cut(view.wording.help[step], width - 3), PLAIN)]


def _bottom(view: View, width: int) -> Iterator[Line]:
    """Yield the message, the note and the keys, or the note while it is typed."""
    yield [(cut(view.message, width), BOLD)]
    if view.typed is not None:
        yield [(view.wording.text("ask_note"), PLAIN)]
        yield typed_line(*view.typed, width)
        return
    if view.note:
        yield [(cut(view.wording.text("note", one_line(view.note)), width), DIM)]
    yield from key_lines(((key, view.wording.steps[step]) for step, key in KEYS.items()), width)
