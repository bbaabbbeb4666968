"""The words of the review of proposals, in English and in Chinese: steps, names of rows, messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ontocrawl.terminal import dialogue
from ontocrawl.terminal.dialogue import HELP, LATER, MORE, QUIT, UNDO, Language, Pair, Step, in_language
from ontology.enrichment import Verdict

STEPS = (
    Step("accept", "a", "a accept 接受 采纳", ("accept", "接受"), (
        "it is so: a class below the parent, another name, or the relation",
        "属实：作为上位类之下的新类、类的别名或关系加入本体",
    )),
    Step("reject", "r", "r reject 拒绝 否决", ("reject", "拒绝"), (
        "it is not so; no later crawl proposes it again", "不属实；以后的爬取不再提出",
    )),
    Step("rename", "n", "n rename 改名 更名", ("rename", "改名"), (
        "a class under another name, which you type; the term stays another name of it",
        "换一个名称成为类，名称由您输入；原术语保留为别名",
    )),
    Step("move", "m", "m move 移动 移到", ("move", "移动"), (
        "a class below another parent, which you choose", "放在另一个上位类之下，由您选择",
    )),
    Step("merge", "s", "s merge synonym 合并 同义", ("same as", "合并"), (
        "no class of its own but another name of a class, which you choose", "不单独成类，而是某个类的别名，由您选择",
    )),
    LATER,
    replace(UNDO, help=(
        "take back the last decision or skip, and so on to the first of now",
        "撤销上一个决定或跳过，可一直撤销到本次的第一个",
    )),
    replace(MORE, words=f"{MORE.words} evidence 证据", label=("evidence", "更多证据"), help=(
        "show the next sentences", "显示后面的句子",
    )),
    HELP,
    replace(QUIT, help=("end; every decision is saved already", "结束；每个决定都已保存")),
)  # fmt: skip
"""What the reviewer can do, in the order of the list of keys."""
COMMANDS = {step.name: step.words for step in STEPS}
"""The same -> what may be typed for it, in a spreadsheet too."""
ASKS = {"rename": "ask_rename", "move": "ask_move", "merge": "ask_merge"}
"""What needs a text -> the question for it."""
FOR_RELATIONS = frozenset(step.name for step in STEPS) - ASKS.keys()
"""What can be done about a relation: its ends are classes, which have their names and places."""
KINDS: Mapping[str, Pair] = {
    "concept": ("new class", "新类"), "label": ("another name", "别名"), "relation": ("relation", "关系"),
}  # fmt: skip
"""Kind of a proposal -> its name."""
ROWS: Mapping[str, Pair] = {
    "parent": ("parent", "上位类"), "class": ("class", "所属类"), "relation": ("relation", "关系"),
    "reason": ("because", "依据"), "path": ("path", "路径"), "children": ("beside", "同级类"),
    "names": ("names now", "现有别名"), "near": ("m and 1..3", "m 加数字"), "seen": ("found on", "出处"),
}  # fmt: skip
"""Name of a row -> what is printed before it."""
RELATIONS: Mapping[str, Pair] = {
    "subclass_of": ("{} is a {}", "{} 是一种 {}"), "synonym": ("{} is another name of {}", "{} 是 {} 的别名"),
    "causes": ("{} may cause {}", "{} 可能导致 {}"), "part_of": ("{} is a part of {}", "{} 是 {} 的一部分"),
    "measured_by": ("{} is measured by {}", "{} 用 {} 测量"),
    "equivalent_to": ("{} is the same as {}", "{} 等同于 {}"),
}  # fmt: skip
"""Relation -> how it is read."""
TEXTS: Mapping[str, Pair] = {
    **dialogue.TEXTS,
    "counts": ("{} accepted, {} rejected, {} later", "接受 {}，拒绝 {}，以后 {}"),
    "unplaced": ("none found; m chooses one, a accepts it without", "未找到；m 选择一个，a 不放置而接受"),
    "gone": ("{} is no class any more: m chooses another", "{} 已不是类：请按 m 另选"),
    "none": ("none", "无"),
    "seen": ("{} pages, score {}", "{} 个网页，得分 {}"),
    "in_crawls": ("; in {} crawls: ", "；{} 次爬取："),
    "in_crawl": (", in ", "，爬取 "),
    "crawl": ("{} ({} pages)", "{}（{} 页）"),
    "sentences": ("sentences {} to {} of {}", "第 {} 至 {} 句，共 {} 句"),
    "no_sentence": ("no sentence is stored with this proposal", "该提议没有保存句子"),
    "no_more": ("these are all sentences", "句子已全部显示"),
    "ask_rename": ("The name of the class for {}:", "{} 作为类的名称："),
    "ask_move": ("The parent of {}, by name or by number:", "{} 的上位类，输入名称或编号："),
    "ask_merge": (
        "The class with {} as another name, by name or by number:", "{} 是哪个类的别名，输入名称或编号：",
    ),
    "was_accept": ("accepted", "已接受"),
    "was_reject": ("rejected", "已拒绝"),
    "was_rename": ("accepted as {}", "已接受，名称为 {}"),
    "was_rename_and_move": ("accepted as {} under {}", "已接受，名称为 {}，上位类为 {}"),
    "was_move": ("accepted under {}", "已接受，上位类为 {}"),
    "was_merge": ("another name of {}", "作为 {} 的别名"),
    "decided": ("{}: {}", "{}：{}"),
    "put_off": ("{}: later", "{}：以后再说"),
    "meanwhile": ("{}: {} has decided meanwhile: {}", "{}：{} 已在此期间决定：{}"),
    "only_later": ("only those put off for later are left", "只剩下“以后”的了"),
    "not_for_relations": (
        "a relation is accepted or rejected; rename, move and same as are for terms",
        "关系只能接受或拒绝；改名、移动、合并只用于术语",
    ),
    "not_for_names": (
        "another name of a class is accepted, rejected, moved or merged; it is renamed by none of them",
        "类的别名可接受、拒绝、移动或合并，不能改名",
    ),
    "no_text": ("nothing was typed: {} stays open", "没有输入：{} 仍未决定"),
    "no_class": ("there is no class {!r}; near: {}", "没有名为 {!r} 的类；相近的有：{}"),
    "no_class_near": ("there is no class {!r}, and no name is near", "没有名为 {!r} 的类，也没有相近的名称"),
    "bad_name": (
        "a name needs a letter, no control or hidden characters, and no more than {} characters",
        "名称须含文字，不含控制字符和不可见字符，且不超过 {} 个字符",
    ),
    "done": ("{} decided in this session, {} left open", "本次决定 {} 个，尚余 {} 个"),
    "nothing": ("there is nothing to review", "没有可审核的提议"),
    "finished": (
        "no proposal is left: u takes the last decision back, any other key ends",
        "已全部决定：u 撤销上一个决定，其他键结束",
    ),
}  # fmt: skip
"""Name of a message -> its text."""


def verdict(said: Verdict, language: Language = "en") -> str:
    """Return a verdict in words.

    >>> verdict(Verdict("move", "洪水")), verdict(Verdict("rename", "内涝", "洪水")), verdict(Verdict("reject"), "zh")
    ('accepted under 洪水', 'accepted as 内涝 under 洪水', '已拒绝')
    """
    key = "rename_and_move" if said.name and said.named else said.action
    return in_language(TEXTS, language)[f"was_{key}"].format(said.value, said.parent)
