"""The words of `lab label`, in English and in Chinese: keys, commands, messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from ontocrawl.settling.replies import WORDS, meant

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
