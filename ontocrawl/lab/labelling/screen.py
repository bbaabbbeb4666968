"""The screen of `lab label`: a dialogue about the pages of a sample, which shows nothing of the judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from ontocrawl.lab.labelling.sample import VERDICTS, SampledPage
from ontocrawl.lab.labelling.session import Labelling
from ontocrawl.terminal import dialogue
from ontocrawl.terminal.cell_width import cut, cut_in_the_middle, wrapped
from ontocrawl.terminal.dialogue import (
    BOLD,
    DIM,
    HEIGHT,
    HELP,
    MORE,
    PLAIN,
    QUIT,
    UNDO,
    Choice,
    KeyDialogue,
    Language,
    Line,
    Pair,
    Question,
    Step,
    ends,
    rule,
)
from ontocrawl.terminal.keys import Typed
from ontology.printable import one_line, printable

STEPS = (
    Step("yes", "y", "y yes 是 对 相关", ("relevant", "相关"), (
        "the page is relevant to the topic", "网页与主题相关",
    )),
    Step("no", "n", "n no 不 否 不是 不相关", ("not relevant", "不相关"), ("it is not", "不相关")),
    Step("unsure", "?", "? unsure 不确定 无法判断", ("cannot tell", "无法判断"), (
        "it cannot be told from title and text; the page is left out of the measures",
        "根据标题和正文无法判断；计算指标时不计入",
    )),
    Step("note", "t", "t note 备注", ("note", "备注"), (
        "write a note, which is kept with your label of this page", "写一条备注，随本页的标注一起保存",
    )),
    replace(MORE, key="m", words=f"m {MORE.words}", label=("more text", "更多正文"), help=(
        "show the next lines of the text, after the last ones the first", "显示后面的正文，到末尾后回到开头",
    )),
    replace(UNDO, help=(
        "take back your last label, of an earlier session too; the page is shown again",
        "撤销自己的上一个标注（也可以是以前的），重新显示该页",
    )),
    replace(HELP, words=HELP.words.replace(" ?", "")),
    replace(QUIT, help=("end; every label is saved already", "结束；所有标注已经保存")),
)  # fmt: skip
"""What the labeller can do, in the order of the list of keys."""
TEXTS: Mapping[str, Pair] = {
    **dialogue.TEXTS,
    "question": ("relevant to {}?", "与{}相关吗？"),
    "no_title": ("(no title)", "（无标题）"),
    "no_text": (
        "No text was kept of this page: open its URL in a browser.",
        "没有保存该页的正文，请在浏览器中打开网址。",
    ),
    "no_more": ("this is the whole text", "正文已全部显示"),
    "lines": ("lines {} to {}", "第 {} 至 {} 行"),
    "lines_of": ("lines {} to {} of {}", "第 {} 至 {} 行，共 {} 行"),
    "note": ("note: {}", "备注：{}"),
    "ask_note": ("Note:", "备注："),
    "labelled": ("{}: {}", "{}：{}"),
    "finished": (
        "All pages are labelled. u takes back the last label, any other key ends.",
        "所有网页都已标注。按 u 撤销上一个，按其他键结束。",
    ),
    "done": ("{} labelled in this session, {} left", "本次标注 {} 页，尚余 {} 页"),
}
_LONGEST_TITLE = 60
"""Characters of a title in a message."""


class LabelDialogue(KeyDialogue):
    """The dialogue about the pages of a sample.

    Args:
        labelling: the session.
        topic: the topic, as it is shown.
        language: language of the screen.
    """

    steps, texts, asks, printed_height = STEPS, TEXTS, {"note": "ask_note"}, HEIGHT

    def __init__(self, labelling: Labelling, topic: str, language: Language = "en") -> None:
        super().__init__(language)
        self.labelling, self.topic = labelling, topic
        self.note = ""

    @property
    def current(self) -> SampledPage | None:
        """The page that is to be labelled; None at the end."""
        return self.labelling.current

    def head(self, width: int) -> Iterator[Line]:
        """Yield the lines above the text: number, question, title, URL."""
        page, total = self.current, self.labelling.total
        title, _ = self.labelling.title_and_text()
        question = self.text("question", one_line(self.topic))
        yield ends(f"{total - self.labelling.open + 1}/{total}", question, width, BOLD)
        yield rule(width)
        yield [(cut(one_line(title) or self.text("no_title"), width), BOLD)]
        yield [(cut_in_the_middle(one_line(page.url if page else ""), width), DIM)]
        yield rule(width)

    def body(self, width: int, room: int | None, *, colour: bool) -> tuple[Sequence[Line], int]:
        """Return the lines of text that fit, and their numbers where these are not all."""
        _, text = self.labelling.title_and_text()
        room = HEIGHT if room is None else room
        lines = list(islice(_wrapped(text, width), self.first, self.first + room + 1))
        if not lines:
            return [[(self.text("no_text"), DIM)]], 0
        if len(lines) <= room and self.first == 0:
            return [[(line, PLAIN)] for line in lines], 0
        shown = lines[: max(1, room - 1)]
        end = self.first + len(shown)
        is_end = len(lines) == len(shown)
        note = self.text("lines_of", self.first + 1, end, end) if is_end else self.text("lines", self.first + 1, end)
        numbers: Line = [(cut(f"{note} (m)", width), DIM)]
        return [*([(line, PLAIN)] for line in shown), numbers], 0 if is_end else end

    def remarks(self, width: int) -> Iterator[Line]:
        """Yield the note, unless the message is the note."""
        note = self.text("note", one_line(self.note))
        if self.note and note != self.message:
            yield [(cut(note, width), DIM)]

    def question(self, step: str) -> Question:
        """Return the question for the note, which begins with the one that there is."""
        return Question(self.text("ask_note"), Typed(self.note, len(self.note)))

    def do(self, step: str, text: str, choices: Sequence[Choice]) -> bool:
        """Label the page, with a text as its note, or keep a note for the label."""
        self.note = text.strip() or (self.note if step != "note" else "")
        if step == "note":
            self.message = self.text("note", one_line(self.note))
        for verdict in VERDICTS:
            if verdict == step:
                title, _ = self.labelling.title_and_text()
                self.labelling.label(verdict, self.note)
                label = next(one.label for one in self.steps if one.name == step)
                self.say("labelled", one_line(title)[:_LONGEST_TITLE], label[self.language == "zh"])
        return True

    def take_back(self) -> str | None:
        """Take back the last label of the person, of an earlier session too."""
        url = self.labelling.undo()
        return None if url is None else one_line(url)[:_LONGEST_TITLE]

    def say(self, name: str, *inserted: str) -> None:
        """Set the message, show the page from its beginning, and forget the note."""
        super().say(name, *inserted)
        self.note = ""

    def ending(self) -> str:
        """Return that u takes the last label back."""
        return self.text("finished")


def _wrapped(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text as they fit the width, without empty ones."""
    for paragraph in printable(text).splitlines():
        for line in wrapped(((character, PLAIN) for character in one_line(paragraph)), width):
            yield "".join(character for character, _ in line)
