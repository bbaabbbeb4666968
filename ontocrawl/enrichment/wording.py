"""The words of the review of proposals, in English and in Chinese: keys, commands, names of rows, messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ontocrawl.settling.replies import WORDS, meant

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")
Step = Literal["accept", "reject", "rename", "move", "merge", "later", "undo", "more", "help", "quit"]
KEYS: Mapping[Step, str] = {
    "accept": "a", "reject": "r", "rename": "n", "move": "m", "merge": "s",
    "later": "l", "undo": "u", "more": "e", "help": "?", "quit": "q",
}  # fmt: skip
"""What the reviewer can do -> its key, in the order of the list of keys."""
COMMANDS: Mapping[Step, frozenset[str]] = {
    "accept": frozenset({"a", "accept", "接受", "采纳"}),
    "reject": frozenset({"r", "reject", "拒绝", "否决"}),
    "rename": frozenset({"n", "rename", "改名", "更名"}),
    "move": frozenset({"m", "move", "移动", "移到"}),
    "merge": frozenset({"s", "merge", "synonym", "合并", "同义"}),
    "later": WORDS["later"],
    "undo": WORDS["undo"],
    "more": frozenset({"e", "more", "evidence", "更多", "证据"}),
    "help": WORDS["help"],
    "quit": WORDS["quit"],
}
"""The same -> what may be typed for it."""
FOR_RELATIONS: frozenset[Step] = frozenset(KEYS) - {"rename", "move", "merge"}
"""What can be done about a relation: its ends are classes, which have their names and places."""


@dataclass(frozen=True)
class Wording:
    """The texts of one language; ``{}`` stands for what is inserted.

    Attributes:
        kinds: kind of a proposal -> its name.
        rows: name of a row -> what is printed before it.
        steps: what the reviewer can do -> its name beside the key.
        help: the same -> what it does.
        relations: relation -> how it is read.
        texts: name of a message -> its text.
    """

    kinds: Mapping[str, str]
    rows: Mapping[str, str]
    steps: Mapping[Step, str]
    help: Mapping[Step, str]
    relations: Mapping[str, str]
    texts: Mapping[str, str]

    def text(self, name: str, *inserted: object) -> str:
        """Return a message.

        >>> ENGLISH.text("undone", "内涝")
        'taken back: 内涝'
        """
        return self.texts[name].format(*inserted)

    def verdict(self, action: str, value: str = "") -> str:
        """Return a verdict in words.

        >>> ENGLISH.verdict("move", "洪水"), CHINESE.verdict("reject")
        ('accepted under 洪水', '已拒绝')
        """
        return self.texts[f"was_{action}"].format(value)


ENGLISH = Wording(
    kinds={"concept": "new class", "label": "another name", "relation": "relation"},
    rows={
        "parent": "parent", "class": "class", "relation": "relation", "reason": "because", "path": "path",
        "children": "beside", "names": "names now", "near": "m and 1..3", "seen": "found on",
    },
    steps={
        "accept": "accept", "reject": "reject", "rename": "rename", "move": "move", "merge": "same as",
        "later": "later", "undo": "undo", "more": "evidence", "help": "help", "quit": "quit",
    },
    help={
        "accept": "it is so: a class below the parent, another name, or the relation",
        "reject": "it is not so; no later crawl proposes it again",
        "rename": "a class under another name, which you type; the term stays another name of it",
        "move": "a class below another parent, which you choose",
        "merge": "no class of its own but another name of a class, which you choose",
        "later": "skip it; it comes again after the others",
        "undo": "take back the last decision or skip, and so on to the first of now",
        "more": "show the next sentences",
        "help": "show this page, or leave it",
        "quit": "end; every decision is saved already",
    },
    relations={
        "subclass_of": "{} is a {}", "synonym": "{} is another name of {}", "causes": "{} may cause {}",
        "part_of": "{} is a part of {}", "measured_by": "{} is measured by {}", "equivalent_to": "{} is the same as {}",
    },
    texts={
        "counts": "{} accepted, {} rejected, {} later",
        "unplaced": "none found; m chooses one, a accepts it without",
        "gone": "{} is no class any more: m chooses another",
        "none": "none",
        "seen": "{} pages, score {}",
        "in_crawls": "; in {} crawls: ",
        "in_crawl": ", in ",
        "crawl": "{} ({} pages)",
        "sentences": "sentences {} to {} of {}",
        "no_sentence": "no sentence is stored with this proposal",
        "no_more": "these are all sentences",
        "ask_rename": "The name of the class for {}:",
        "ask_move": "The parent of {}, by name or by number:",
        "ask_merge": "The class with {} as another name, by name or by number:",
        "ask_keys": "Enter ends, Tab completes, Esc goes back",
        "was_accept": "accepted", "was_reject": "rejected", "was_rename": "accepted as {}",
        "was_move": "accepted under {}", "was_merge": "another name of {}",
        "decided": "{}: {}",
        "put_off": "{}: later",
        "meanwhile": "{}: {} has decided meanwhile: {}",
        "undone": "taken back: {}",
        "nothing_to_undo": "nothing is left to take back in this session",
        "only_later": "only those put off for later are left",
        "unknown_key": "press one of the keys below; ? explains them",
        "unknown_command": "{!r} is no command: expected one of {}",
        "not_for_relations": "a relation is accepted or rejected; rename, move and same as are for terms",
        "no_text": "nothing was typed: {} stays open",
        "no_class": "there is no class {!r}; near: {}",
        "no_class_near": "there is no class {!r}, and no name is near",
        "bad_name": "a name needs a letter, no control or hidden characters, and no more than {} characters",
        "done": "{} decided in this session, {} left open",
        "nothing": "there is nothing to review",
        "finished": "no proposal is left: u takes the last decision back, any other key ends",
    },
)  # fmt: skip
CHINESE = Wording(
    kinds={"concept": "新类", "label": "别名", "relation": "关系"},
    rows={
        "parent": "上位类", "class": "所属类", "relation": "关系", "reason": "依据", "path": "路径",
        "children": "同级类", "names": "现有别名", "near": "m 加数字", "seen": "出处",
    },
    steps={
        "accept": "接受", "reject": "拒绝", "rename": "改名", "move": "移动", "merge": "合并",
        "later": "以后", "undo": "撤销", "more": "更多证据", "help": "帮助", "quit": "退出",
    },
    help={
        "accept": "属实：作为上位类之下的新类、类的别名或关系加入本体",
        "reject": "不属实；以后的爬取不再提出",
        "rename": "换一个名称成为类，名称由您输入；原术语保留为别名",
        "move": "放在另一个上位类之下，由您选择",
        "merge": "不单独成类，而是某个类的别名，由您选择",
        "later": "先跳过，放到最后再问",
        "undo": "撤销上一个决定或跳过，可一直撤销到本次的第一个",
        "more": "显示后面的句子",
        "help": "显示或离开本页",
        "quit": "结束；每个决定都已保存",
    },
    relations={
        "subclass_of": "{} 是一种 {}", "synonym": "{} 是 {} 的别名", "causes": "{} 可能导致 {}",
        "part_of": "{} 是 {} 的一部分", "measured_by": "{} 用 {} 测量", "equivalent_to": "{} 等同于 {}",
    },
    texts={
        "counts": "接受 {}，拒绝 {}，以后 {}",
        "unplaced": "未找到；m 选择一个，a 不放置而接受",
        "gone": "{} 已不是类：请按 m 另选",
        "none": "无",
        "seen": "{} 个网页，得分 {}",
        "in_crawls": "；{} 次爬取：",
        "in_crawl": "，爬取 ",
        "crawl": "{}（{} 页）",
        "sentences": "第 {} 至 {} 句，共 {} 句",
        "no_sentence": "该建议没有保存句子",
        "no_more": "句子已全部显示",
        "ask_rename": "{} 作为类的名称：",
        "ask_move": "{} 的上位类，输入名称或编号：",
        "ask_merge": "{} 是哪个类的别名，输入名称或编号：",
        "ask_keys": "回车确定，Tab 补全，Esc 返回",
        "was_accept": "已接受", "was_reject": "已拒绝", "was_rename": "已接受，名称为 {}",
        "was_move": "已接受，上位类为 {}", "was_merge": "作为 {} 的别名",
        "decided": "{}：{}",
        "put_off": "{}：以后再说",
        "meanwhile": "{}：{} 已在此期间决定：{}",
        "undone": "已撤销：{}",
        "nothing_to_undo": "本次没有可撤销的了",
        "only_later": "只剩下“以后”的了",
        "unknown_key": "请按下面的键；? 显示说明",
        "unknown_command": "{!r} 不是命令：应为 {} 之一",
        "not_for_relations": "关系只能接受或拒绝；改名、移动、合并只用于术语",
        "no_text": "没有输入：{} 仍未决定",
        "no_class": "没有名为 {!r} 的类；相近的有：{}",
        "no_class_near": "没有名为 {!r} 的类，也没有相近的名称",
        "bad_name": "名称须含文字，不含控制字符和不可见字符，且不超过 {} 个字符",
        "done": "本次决定 {} 个，尚余 {} 个",
        "nothing": "没有可审阅的建议",
        "finished": "已全部决定：u 撤销上一个决定，其他键结束",
    },
)  # fmt: skip
WORDINGS: Mapping[Language, Wording] = {"zh": CHINESE, "en": ENGLISH}


def step_of(text: str) -> Step | None:
    """Return what a word or a key stands for; full-width letters of an input method count as the plain ones.

    >>> step_of("Ａ"), step_of("撤销"), step_of("x")
    ('accept', 'undo', None)
    """
    return meant(text, COMMANDS)
