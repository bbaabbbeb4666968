"""A dialogue at a terminal about items, one after the other: a key or a line for each step, help, undo, an end.

On a terminal each item has a screen, and a key is a step; from a pipe, or on a terminal without cursor movement, items
are printed and a line is a step. What an item is, how it is drawn and what its steps do, a class of its own says. An
answer is stored when it is given, so that Ctrl-C, the end of the input and a kill lose nothing.
"""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import ClassVar, Literal, NamedTuple, TypeVar

from rich.cells import cell_len

from ontocrawl.errors import CommandError
from ontocrawl.terminal import keys
from ontocrawl.terminal.cell_width import CUT, cut, longest_end, padded
from ontocrawl.terminal.keys import Key, Keys, Prompting, Typed, read_line
from ontology.errors import OntocrawlError
from ontology.printable import one_line

Language = Literal["zh", "en"]
Pair = tuple[str, str]
"""A text in English and in Chinese; ``{}`` stands for what is inserted."""
Name = TypeVar("Name", bound=str)


# ---- lines of a screen: texts with styles


WIDTH, HEIGHT, NARROWEST = 80, 24, 40
"""Size of a screen where that of the terminal is not known; the smallest width that is drawn."""
PLAIN, BOLD, TERM, DIM = 0, 1, 2, 3
_ANSI = {BOLD: "\x1b[1m", TERM: "\x1b[1;7m", DIM: "\x1b[2m"}
Line = list[tuple[str, int]]
"""Texts with their styles."""


def drawn(line: Line, *, colour: bool) -> str:
    """Return the text of a line, with escape sequences for its styles if these are wanted."""
    if not colour:
        return "".join(text for text, _ in line).rstrip()
    return "".join(f"{_ANSI[style]}{text}\x1b[0m" if style in _ANSI and text else text for text, style in line)


def ends(left: str, right: str, width: int, style: int) -> Line:
    """Return a line with a text at its beginning and one at its end, which has the style."""
    room = max(0, width - cell_len(right) - 2)
    return [(padded(left, room), BOLD), ("  ", PLAIN), (cut(right, width), style)]


def rule(width: int) -> Line:
    """Return a horizontal rule."""
    return [("-" * width, DIM)]


def joined(characters: Iterable[tuple[str, int]]) -> Line:
    """Join characters of the same style."""
    line: Line = []
    for character, style in characters:
        if line and line[-1][1] == style:
            line[-1] = (line[-1][0] + character, style)
        else:
            line.append((character, style))
    return line


def shown_path(labels: Sequence[str], width: int) -> str:
    """Return a path with its end in sight: what is near the root is left out first.

    >>> shown_path(["hazard", "flood", "flash flood"], 22)
    '.. > flash flood'
    """
    kept = [one_line(label) for label in labels]
    while len(kept) > 2 and cell_len(" > ".join(kept)) > width:
        kept = [CUT, *kept[2 if kept[0] == CUT else 1 :]]
    return " > ".join(kept)


def _key_lines(listed: Iterable[tuple[str, str]], width: int) -> Iterator[Line]:
    """Yield the lines that list keys, each with what it does."""
    line: Line = []
    for key, name in listed:
        used = sum(cell_len(text) for text, _ in line)
        if line and used + 3 + len(key) + cell_len(name) > width:
            yield line
            line = []
        line += [("  " if line else "", PLAIN), (key, BOLD), (f" {name}", PLAIN)]
    yield line


# ---- steps and words


@dataclass(frozen=True, slots=True)
class Step:
    """Something that a person can do.

    Attributes:
        name: its name in the program.
        key: its key.
        words: what may be typed for it, separated by blanks; the key is one of them.
        label: its name beside the key.
        help: what it does.
    """

    name: str
    key: str
    words: str
    label: Pair
    help: Pair


LATER = Step("later", "l", "l later skip 以后 以后再说 跳过", ("later", "以后"), (
    "skip it; it comes again after the others", "先跳过，放到最后再问"
))  # fmt: skip
UNDO = Step("undo", "u", "u undo 撤销", ("undo", "撤销"), ("take back the last answer", "撤销上一个回答"))
MORE = Step("more", "e", "e more 更多", ("more", "更多"), ("show what follows", "显示后面的内容"))
HELP = Step("help", "h", "h help ? 帮助", ("help", "帮助"), ("show this page, or leave it", "显示或离开本页"))
QUIT = Step("quit", "q", "q quit exit 退出", ("quit", "退出"), ("end; all is saved already", "结束；一切都已保存"))
"""The steps that dialogues have in common: the same key and the same words in each."""
TEXTS: Mapping[str, Pair] = {
    "undone": ("taken back: {}", "已撤销：{}"),
    "nothing_to_undo": ("nothing is left to take back", "没有可以撤销的了"),
    "no_more": ("this is all", "已全部显示"),
    "unknown_key": ("press one of the keys below; h explains them", "请按下面的键；h 显示说明"),
    "unknown_command": ("{!r} is no command: expected one of {}", "{!r} 不是命令：应为 {} 之一"),
    "typing": ("Enter: keep, Esc: go back", "回车确定，Esc 返回"),
    "choosing": ("Enter: keep, Tab: complete, Esc: go back", "回车确定，Tab 补全，Esc 返回"),
}
"""The messages that they have in common."""


def in_language(texts: Mapping[Name, Pair], language: Language) -> dict[Name, str]:
    """Return texts in one language."""
    return {name: pair[language == "zh"] for name, pair in texts.items()}


def meant(text: str, words: Mapping[Name, str]) -> Name | None:
    """Return what a word or a key stands for; full-width letters of an input method count as the plain ones.

    Args:
        text: what was typed.
        words: each step -> what may be typed for it, separated by blanks.

    >>> steps = {"undo": UNDO.words, "quit": QUIT.words}
    >>> meant("Ｑ", steps), meant("撤销", steps), meant("z", steps)
    ('quit', 'undo', None)
    """
    word = unicodedata.normalize("NFKC", text.strip()).casefold()
    return next((step for step, typed in words.items() if word in typed.split()), None)


# ---- the dialogue, line by line


class Dialogue(ABC):
    """A dialogue of lines: an item is printed, and a line answers it.

    Args:
        language: language of the texts.
    """

    texts: ClassVar[Mapping[str, Pair]] = TEXTS

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self.message = ""
        """What came of the last step."""
        self._words = in_language(self.texts, language)
        self._printed: object = None

    def text(self, name: str, *inserted: object) -> str:
        """Return one of the texts."""
        return self._words[name].format(*inserted)

    @property
    @abstractmethod
    def current(self) -> object | None:
        """The item that is to be answered; None at the end. What is equal is not printed twice in succession."""

    @abstractmethod
    def printed(self) -> str:
        """Return the current item as text, with the message."""

    @abstractmethod
    def reply(self, line: str, out: Prompting) -> bool:
        """Do what a line says; return whether to go on."""

    @abstractmethod
    def take_back(self) -> str | None:
        """Take back the last answer; return what it was about, None where there is none.

        Raises:
            CommandError: it cannot be taken back, such as one that somebody else has replaced; the person reads why.
        """

    @property
    def prompt(self) -> str:
        """What stands before a line."""
        return "> "

    def ending(self) -> str:
        """Return what is asked at the end, where the last answer can still be taken back; empty to ask nothing."""
        return ""

    def print_again(self) -> None:
        """Print the item before the next line, even if it is the same."""
        self._printed = None

    def undo(self) -> None:
        """Take back the last answer, and say so."""
        try:
            about = self.take_back()
        except CommandError as error:
            self.message = self.why_not(error)
            return
        self.say(*("nothing_to_undo",) if about is None else ("undone", about))

    def why_not(self, error: OntocrawlError) -> str:
        """Return why a step was not done."""
        return error.said(self.language, on_command_line=True)

    def say(self, name: str, *inserted: str) -> None:
        """Set the message to one of the texts."""
        self.message = self.text(name, *map(one_line, inserted))

    def run(self, out: Prompting) -> None:
        """Print items and do what lines say, until none is left, the input ends, or the person quits.

        Args:
            out: where they are printed.
        """
        while self.current is not None or self._is_reopened(out):
            if (place := self._place()) != self._printed:
                out.print(self.printed(), soft_wrap=True)
            elif self.message:
                out.print(self.message, soft_wrap=True)
            self.message, self._printed = "", place
            line = read_line(self.prompt, out)
            if line is None or not self.reply(line, out):
                return

    def _place(self) -> object:
        return self.current

    def _is_reopened(self, out: Prompting) -> bool:
        """Return whether the last answer is taken back at the end."""
        asked = self.ending()
        if self.message or asked:
            out.print("\n".join(filter(None, (self.message, asked))), soft_wrap=True)
        if asked and meant(read_line(self.prompt, out) or "", {"undo": UNDO.words}):
            self.undo()
            self.print_again()
        return self.current is not None


# ---- the dialogue, key by key


class Choice(NamedTuple):
    """What a number chooses while a text is typed: the text that it stands for, how it is shown, its path."""

    label: str
    shown: str
    path: tuple[str, ...] = ()


class Question(NamedTuple):
    """A text that is being typed: what for, so far, and what numbers choose."""

    text: str
    typed: Typed = Typed()
    choices: Sequence[Choice] = ()


class KeyDialogue(Dialogue):
    """A dialogue of steps: a screen for each item and a key for each step, or a command a line."""

    steps: ClassVar[tuple[Step, ...]]
    """What a person can do, in the order of the list of keys."""
    asks: ClassVar[Mapping[str, str]] = {}
    """Each step that needs a text -> name of the question for it."""
    printed_height: ClassVar[int | None] = None
    """Largest number of lines of an item where no screen is drawn; None for all."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self.first = 0
        """Number of the first part of the body that is shown, such as a sentence or a line."""
        self.is_help = False
        """Whether the keys are explained in place of the body."""
        self._following = 0

    # ---- what a dialogue says of its items and steps

    @abstractmethod
    def head(self, width: int) -> Iterator[Line]:
        """Yield the lines above the body."""

    @abstractmethod
    def body(self, width: int, room: int | None, *, colour: bool) -> tuple[Sequence[Line], int]:
        """Return the lines of the body that fit, from the part `first` on.

        Args:
            width: width of the screen in cells.
            room: number of lines; None for all.
            colour: whether styles are shown by escape sequences.

        Returns:
            The lines, and the number of the first part that is left; 0 where none is.
        """

    @abstractmethod
    def do(self, step: str, text: str, choices: Sequence[Choice]) -> bool:
        """Do a step of this dialogue.

        Args:
            step: name of the step.
            text: what was typed for it.
            choices: what a number stands for.

        Returns:
            Whether it is done; False asks for another text. The message says what came of it.
        """

    def allowed(self, step: str) -> bool:
        """Return whether the current item has a step."""
        return True

    def refuse(self, step: str) -> None:
        """Say that the current item does not have a step."""
        self.message = self.text("unknown_key")

    def question(self, step: str) -> Question:
        """Return the question for the text that a step needs."""
        return Question(self.text(self.asks[step]), choices=self.choices(step, ""))

    def choices(self, step: str, typed: str) -> Sequence[Choice]:
        """Return what numbers choose while a text is typed for a step."""
        return ()

    def remarks(self, width: int) -> Iterator[Line]:
        """Yield the lines between the message and the keys."""
        yield from ()

    def say(self, name: str, *inserted: str) -> None:
        """Set the message, and show the item from its beginning."""
        super().say(name, *inserted)
        self.first, self.is_help = 0, False

    # ---- the screen

    def render(
        self, width: int = WIDTH, height: int | None = HEIGHT, *, asked: Question | None = None, colour: bool = False,
        filled: bool = True,
    ) -> str:  # fmt: skip
        """Lay out the current item.

        Args:
            width: width of the terminal in cells, at least `NARROWEST`.
            height: its height in lines; None for all of the body.
            asked: the text that is being typed, in place of the keys.
            colour: whether styles are shown by escape sequences.
            filled: whether empty lines fill the height.

        Returns:
            Lines without an end; each at most ``width`` cells wide, all together at most ``height``.
        """
        top, bottom = list(self.head(width)), list(self._bottom(width, asked))
        room = None if height is None else max(0, height - len(top) - len(bottom))
        if self.is_help:
            body: Sequence[Line] = [
                [(f" {step.key} ", BOLD), (cut(step.help[self.language == "zh"], width - 3), PLAIN)]
                for step in self.steps
            ]
        else:
            body, self._following = self.body(width, room, colour=colour)
        if height is not None and room is not None:
            body = [*body[:room], *([] for _ in range(room - len(body) if filled else 0))]
            top = top[: max(0, height - len(bottom))]
        return "\n".join(drawn(line, colour=colour) for line in (*top, *body, *bottom))

    def _bottom(self, width: int, asked: Question | None) -> Iterator[Line]:
        """Yield the message and the keys, or the question with its choices and what is typed."""
        yield [(cut(self.message, width), BOLD)]
        if asked is not None:
            yield from _question_lines(asked, width)
            before = _before_cursor(asked.typed, width)
            rest = cut(one_line(asked.typed.text[asked.typed.cursor :]), max(2, width - 2 - cell_len(before)))
            yield [(f"> {before}{rest}".rstrip(), PLAIN)]
            return
        yield from self.remarks(width)
        offered = (step for step in self.steps if self.allowed(step.name))
        yield from _key_lines(((step.key, step.label[self.language == "zh"]) for step in offered), width)

    def printed(self) -> str:
        """Return the current item as text, with the message and the keys."""
        return self.render(height=self.printed_height, filled=False)

    def _place(self) -> object:
        return self.current, self.first, self.is_help

    # ---- steps

    def reply(self, line: str, out: Prompting) -> bool:
        """Do the command of a line. A text that it needs follows on the line, or on the next one."""
        word, _, text = line.strip().partition(" ")
        step = meant(word, self._commands())
        if step is None:
            if word:
                self.message = self.text("unknown_command", word, ", ".join(one.key for one in self.steps))
        elif step in self.asks and self.allowed(step):
            asked = self.question(step)
            if text.strip():
                asked = asked._replace(choices=self.choices(step, text))
            else:
                lines = _question_lines(asked, WIDTH)
                out.print("\n".join(drawn(one, colour=False) for one in lines), soft_wrap=True)
                text = read_line(">> ", out) or ""
            self.do(step, text.strip(), asked.choices)
        else:
            self._do(step, text)
        return step != QUIT.name

    def _commands(self) -> dict[str, str]:
        return {step.name: step.words for step in self.steps}

    def _do(self, step: str, text: str = "") -> None:
        """Do a step that needs no text, or refuse it."""
        if not self.allowed(step):
            self.refuse(step)
        elif step == UNDO.name:
            self.undo()
        elif step == HELP.name:
            self.is_help, self.message = not self.is_help, ""
        elif step == MORE.name:
            self.message = "" if self._following else self.text("no_more")
            self.first, self.is_help = self._following, False
        elif step != QUIT.name:
            self.do(step, text, ())

    # ---- keys

    def run(self, out: Prompting, *, plain: bool = False) -> None:
        """Show items and do what the person says, until none is left, the input ends, or the person quits.

        Args:
            out: where items are printed without a screen.
            plain: whether to draw no screen even where the terminal has one.
        """
        if plain or not keys.is_screen():
            super().run(out)
            return
        with keys.screen() as pressed:
            self.press(pressed)

    def press(self, pressed: Keys) -> None:
        """Draw items and do what keys say."""
        while self.current is not None or self._is_taken_back(pressed):
            self._draw()
            key = pressed.next()
            step = self._step_of(key)
            if step == QUIT.name or key.is_named("end_of_input"):
                return
            if step is None:
                self.message = self.message if key.is_named("resize") else self.text("unknown_key")
            elif step in self.asks and self.allowed(step):
                self._type(step, pressed)
            else:
                self._do(step)

    def _step_of(self, key: Key) -> str | None:
        return meant(key, self._commands()) if key.is_text and not key.is_pasted else None

    def _is_taken_back(self, pressed: Keys) -> bool:
        if asked := self.ending():
            keys.draw(f"{self.message}\n\n{asked}")
            while (key := pressed.next()).is_named("resize"):
                continue
            if self._step_of(key) == UNDO.name:
                self.undo()
        return self.current is not None

    def _type(self, step: str, pressed: Keys) -> None:
        """Read the text of a step until it is taken, or the person goes back."""
        text, typed, choices = self.question(step)
        self.message, self.is_help = self.text("choosing" if choices else "typing"), False
        while True:
            self._draw(Question(text, typed, choices))
            key = pressed.next()
            self.message = ""
            if key.is_text:
                typed = typed.inserted(key)
            elif key == "enter":
                if self.do(step, typed.text, choices):
                    return
                continue
            elif key in ("escape", "end_of_input"):
                return
            elif key == "tab" and choices:
                typed = Typed(choices[0].label, len(choices[0].label))
            else:
                typed = typed.key(key)
            if not typed.text.strip().isdecimal():
                choices = self.choices(step, typed.text)

    def _draw(self, asked: Question | None = None) -> None:
        columns, lines = get_terminal_size((WIDTH, HEIGHT))
        width = max(columns, NARROWEST)
        text = self.render(width, lines, asked=asked, colour=keys.has_colour())
        keys.draw(text, None if asked is None else cursor_cell(asked.typed, width))


def _question_lines(asked: Question, width: int) -> Iterator[Line]:
    yield [(cut(asked.text, width), PLAIN)]
    for number, choice in enumerate(asked.choices, 1):
        shown = cut(f" {number} {choice.shown}", width)
        left = width - cell_len(shown) - 3
        path = cut(shown_path(choice.path, left), left) if left > 8 and len(choice.path) > 1 else ""
        yield [(shown, PLAIN), (f"   {path}" if path else "", DIM)]


def cursor_cell(typed: Typed, width: int) -> int:
    """Return the number of cells before the cursor in the last line of a screen, where a text is typed."""
    return min(cell_len(f"> {_before_cursor(typed, width)}"), width - 1)


def _before_cursor(typed: Typed, width: int) -> str:
    return longest_end(typed.text[: typed.cursor], width - 4)
