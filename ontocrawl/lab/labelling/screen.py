"""The screen of `lab label`: a page of the sample and the keys, as text of a given size; nothing of the judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Literal, get_args

from ontocrawl.settling.replies import WORDS, meant
from ontocrawl.terminal.cell_width import cut, cut_in_the_middle, wrapped
from ontocrawl.terminal.styled_lines import BOLD, DIM, PLAIN, Line, drawn, ends, key_lines, rule, typed_line
from ontology.printable import one_line, printable

# ---- the words of `lab label`, in English and in Chinese: keys, commands, messages


Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
Step = Literal["yes", "no", "unsure", "note", "more", "undo", "help", "quit"]
KEYS: Mapping[Step, str] = {
    "yes": "y", "no": "n", "unsure": "?", "note": "t", "more": "m", "undo": "u", "help": "h", "quit": "q",
}  # fmt: skip
"""What the labeller can do -> its key, in the order of the list of keys."""
COMMANDS: Mapping[Step, frozenset[str]] = {
    "yes": frozenset({"y", "yes", "是", "对", "相关"}),
    "no": frozenset({"n", "no", "不", "否", "不是", "不相关"}),
    "unsure": frozenset({"?", "unsure", "不确定", "无法判断"}),
    "note": frozenset({"t", "note", "备注"}),
    "more": frozenset({"m", "more", "更多"}),
    "undo": WORDS["undo"],
    "help": WORDS["help"] - {"?", "？"},
    "quit": WORDS["quit"],
}
"""The same -> what may be typed for it."""


@dataclass(frozen=True)
class Wording:
    """The texts of one language.

    Attributes:
        steps: what the labeller can do -> its name beside the key.
        help: the same -> what it does.
        texts: name of a message -> its text, with ``{}`` for what is inserted.
    """

    steps: Mapping[Step, str]
    help: Mapping[Step, str]
    texts: Mapping[str, str]

    def text(self, name: str, *inserted: object) -> str:
        """Return a message.

        >>> WORDINGS["en"].text("done", 3, 97)
        '3 labelled in this session, 97 left'
        """
        return self.texts[name].format(*inserted)


ENGLISH = Wording(
    steps={
        "yes": "relevant", "no": "not relevant", "unsure": "cannot tell", "note": "note", "more": "more text",
        "undo": "undo", "help": "help", "quit": "quit",
    },
    help={
        "yes": "the page is relevant to the topic",
        "no": "it is not",
        "unsure": "it cannot be told from title and text; the page is left out of the measures",
        "note": "write a note, which is kept with your label of this page",
        "more": "show the next lines of the text, after the last ones the first",
        "undo": "take back your last label, of an earlier session too; the page is shown again",
        "help": "show this page, or leave it",
        "quit": "end; every label is saved already",
    },
    texts={
        "question": "relevant to {}?", "no_title": "(no title)",
        "no_text": "No text was kept of this page: open its URL in a browser.",
        "lines": "lines {} to {}", "lines_of": "lines {} to {} of {}", "note": "note: {}", "ask_note": "Note:",
        "ask_keys": "Enter: keep, Esc: go back", "labelled": "{}: {}", "undone": "taken back: {}",
        "nothing_to_undo": "nothing is left to take back", "bad_key": "press one of the keys below",
        "bad_command": "{!r} is no command: expected one of {}",
        "finished": "All pages are labelled. u takes back the last label, any other key ends.",
        "done": "{} labelled in this session, {} left",
    },
)  # fmt: skip
CHINESE = Wording(
    steps={
        "yes": "相关", "no": "不相关", "unsure": "无法判断", "note": "备注", "more": "更多正文", "undo": "撤销",
        "help": "帮助", "quit": "退出",
    },
    help={
        "yes": "网页与主题相关",
        "no": "不相关",
        "unsure": "根据标题和正文无法判断；计算指标时不计入",
        "note": "写一条备注，随本页的标注一起保存",
        "more": "显示后面的正文，到末尾后回到开头",
        "undo": "撤销自己的上一个标注（也可以是以前的），重新显示该页",
        "help": "显示或关闭本说明",
        "quit": "结束；所有标注已经保存",
    },
    texts={
        "question": "与{}相关吗？", "no_title": "（无标题）",
        "no_text": "没有保存该页的正文，请在浏览器中打开网址。",
        "lines": "第 {} 至 {} 行", "lines_of": "第 {} 至 {} 行，共 {} 行", "note": "备注：{}", "ask_note": "备注：",
        "ask_keys": "回车保存，Esc 返回", "labelled": "{}：{}", "undone": "已撤销：{}",
        "nothing_to_undo": "没有可以撤销的标注", "bad_key": "请按下面的键",
        "bad_command": "{!r} 不是命令，可用的有 {}",
        "finished": "所有网页都已标注。按 u 撤销上一个，按其他键结束。",
        "done": "本次标注 {} 页，尚余 {} 页",
    },
)  # fmt: skip
WORDINGS: Mapping[Language, Wording] = {"zh": CHINESE, "en": ENGLISH}


def step_of(text: str) -> Step | None:
    """Return what a word or a key stands for.

    >>> step_of("Ｙ"), step_of("？"), step_of("撤销"), step_of("x")
    ('yes', 'unsure', 'undo', None)
    """
    return meant(text, COMMANDS)


# ---- the screen of `lab label`: a page of the sample and the keys, as text of a given size; nothing of the judge


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
