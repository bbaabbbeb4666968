"""The wording of questions, answers, decisions and evidence, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ontocrawl.settling.replies import ReplyError
from ontocrawl.settling.state import Answer
from ontocrawl.settling.terms import Learned
from ontocrawl.terminal.dialogue import Language
from ontology.errors import told
from ontology.model import Relation


class Wording:
    """Sentences in one language.

    Args:
        language: ``zh`` or ``en``.
        english: label of a term -> its English label, if it has one.
    """

    def __init__(self, language: Language, english: Mapping[str, str]) -> None:
        self.language = language
        self.english = english

    def term(self, label: str) -> str:
        """Return a term as it is shown.

        >>> Wording("en", {"山洪": "flash flood"}).term("山洪"), Wording("zh", {"山洪": "flash flood"}).term("山洪")
        ('flash flood (山洪)', '山洪')
        """
        english = self.english.get(label, "")
        return f"{english} ({label})" if self.language == "en" and english and english != label else label

    def question(self, about: Sequence[str], choices: Sequence[str]) -> str:
        """Return a question.

        Args:
            about: labels of the premise; none for everything.
            choices: labels of the conclusion.

        >>> Wording("zh", {}).question(["山洪"], ["洪水"])
        '每个“山洪”都是“洪水”吗？'
        >>> Wording("en", {}).question(["flash flood", "GLOF"], ["flood", "disaster"])
        'Which of these is everything that is both flash flood and GLOF?'
        """
        if self.language == "zh":
            if len(choices) == 1:
                return f"{self._every(about)}都是“{choices[0]}”吗？"
            return f"{self._every(about)}都是下列哪些？"
        if len(choices) == 1:
            return f"Is {self._every(about)} {_article(self.term(choices[0]))}?"
        return f"Which of these is {self._every(about)}?"

    def _every(self, about: Sequence[str]) -> str:
        """Return the subject of a question."""
        shown = [self.term(label) for label in about]
        if self.language == "zh":
            quoted = [f"“{label}”" for label in shown]
            if len(shown) == 1:
                return f"每个{quoted[0]}"
            return f"凡{'又'.join(f'是{q}' for q in quoted)}的，" if shown else "一切事物，"
        if len(shown) == 1:
            return f"every {shown[0]}"
        both = "both " if len(shown) == 2 else ""
        return f"everything that is {both}{' and '.join(shown)}" if shown else "everything"

    def both(self, about: Sequence[str]) -> str:
        """Return that nothing is all of several terms."""
        if self.language == "zh":
            return "没有什么" + "又".join(f"是“{label}”" for label in about)
        both = "both " if len(about) == 2 else ""
        return f"nothing is {both}{' and '.join(self.term(label) for label in about)}"

    def keys(self, choices: Sequence[str], about: Sequence[str], *, marked: bool, may_be_none: bool) -> str:
        """Return the replies that a question allows, for its prompt.

        Args:
            choices: labels of the conclusion.
            about: labels of the premise.
            marked: whether some choices are marked, because the ontology says so.
            may_be_none: whether nothing is known that has the whole premise.
        """
        zh = self.language == "zh"
        if len(choices) == 1:
            parts = ["y 是", "n 不是", "n 某某：反例"] if zh else ["y yes", "n no", "n EXAMPLE"]
        else:
            few = " ".join(str(number) for number in range(1, 1 + min(2, len(choices) - 1)))
            parts = [f"{few} 只是这些", "0 都不是", "y 全是"] if zh else [f"{few} only these", "0 none", "y all"]
            parts += ["* 标星的" if zh else "* those marked"] if marked else []
        if may_be_none and len(about) > 1:
            both = "both" if len(about) == 2 else "all of them"
            parts.append("x 没有这样的事物" if zh else f"x nothing is {both}")
        return ("，" if zh else ", ").join(parts)

    def refused(self, error: Exception) -> str:
        """Return why a reply was not taken; the reasons of contradictions are in English."""
        if self.language == "en":
            return str(error)
        return "没有看懂：请按方括号里的提示回答" if isinstance(error, ReplyError) else f"与已知的矛盾：{error}"

    def meanwhile(self, who: str) -> str:
        """Return that answers have changed and nothing was recorded; ``who`` gave the last of them."""
        if self.language == "zh":
            last = f"（最后一个回答：{who}）" if who else ""
            return f"其间回答有改动{last}，未作记录：请看现在的问题"
        last = f" (the last one is by {who})" if who else ""
        return f"the answers have changed meanwhile{last}; nothing was recorded: this is the question now"

    def opening(self, labels: Sequence[str], answers: int) -> str:
        """Return the lines with which a session begins: the terms, and the number of answers so far."""
        zh = self.language == "zh"
        listed = ("、" if zh else ", ").join(map(self.term, labels))
        lines = [f"{len(labels)} 个术语：{listed}" if zh else f"{len(labels)} terms: {listed}"]
        if answers:
            lines.append(
                f"接着上次的 {answers} 个回答" if zh else f"going on after {answers} answer{'s' * (answers != 1)}"
            )
        return "\n".join(lines)

    def left(self, count: int) -> str:
        """Return how many questions are open."""
        return f"（还有 {count} 问）" if self.language == "zh" else f"  ({count} open)"

    def others(self) -> str:
        """Return the replies that are no answers."""
        return "l 以后再说，u 撤销，q 退出" if self.language == "zh" else "l later, u undo, q quit"

    def answered(self, answer: Answer) -> str:
        """Return an answer as one or two statements.

        >>> Wording("en", {}).answered(Answer(("flash flood",), ("flood", "storm"), ("flood",)))
        'every flash flood is: flood; not: storm'
        """
        zh = self.language == "zh"
        if answer.nothing:
            return self.both(answer.about)
        holds, refused = ([self.term(label) for label in labels] for labels in (answer.holds, answer.refused))
        parts = []
        if holds:
            parts.append(f"{self._every(answer.about)}都是：{'、'.join(holds)}" if zh else
                         f"{self._every(answer.about)} is: {', '.join(holds)}")  # fmt: skip
        if refused and holds:
            parts.append(f"不都是：{'、'.join(refused)}" if zh else f"not: {', '.join(refused)}")
        elif refused:
            parts.append(f"{self._every(answer.about)}不都是：{'、'.join(refused)}" if zh else
                         f"not {self._every(answer.about)} is: {', '.join(refused)}")  # fmt: skip
        if answer.example is not None:
            parts.append(f"例如{answer.example.name}" if zh else f"for example {answer.example.name}")
        return ("；" if zh else "; ").join(parts)

    def reason(self, answer: Answer, term: str, broader: str) -> str:
        """Return why a decision about one edge was taken, for the file of decisions.

        >>> Wording("zh", {}).reason(Answer(("山洪",), ("洪水",), ("洪水",)), "山洪", "洪水")
        '每个“山洪”都是“洪水”吗？ 是'
        """
        verdict = broader in answer.holds
        example = answer.example.name if answer.example is not None and not verdict else ""
        question = self.question((term,), (broader,))
        if self.language == "zh":
            return f"{question} {'是' if verdict else '不是'}" + (f"，例如{example}" if example else "")
        return f"{question} {'yes' if verdict else 'no'}" + (f", for example {example}" if example else "")

    def follows(self) -> str:
        """Return why a decision that was not asked for was taken."""
        return "由其他回答推出" if self.language == "zh" else "follows from other answers"


def _article(label: str) -> str:
    return f"{'an' if label[:1].lower() in set('aeiou') else 'a'} {label}"


# ---- what a learned ontology says about a question: its edges, with papers and sentences


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the ontology has a class above another one: the evidence of an edge."""

    told: str
    """The rule, the number of papers and one of them, and the class by way of which the other one is above."""
    titles: tuple[str, ...]
    """Titles of the papers."""
    sentence: str
    """The sentence that states it; empty if there is none."""


def reasons(learned: Learned, about: Sequence[str], choice: str, wording: Wording) -> list[Reason]:
    """Return why the ontology has a class above others.

    Args:
        learned: the ontology.
        about: labels of the narrower classes; of those that are not below the choice nothing is returned.
        choice: label of the broader class.
        wording: the language.

    Returns:
        The evidence of each edge towards the choice.
    """
    return [_reason(learned, edge, choice, wording) for label in about for edge in _towards(learned, label, choice)]


def lines(found: Iterable[Reason]) -> list[str]:
    """Return reasons as lines for a terminal or a table."""
    return [line for one in found for line in (one.told, *([f"“{one.sentence}”"] if one.sentence else []))]


def _towards(learned: Learned, narrow: str, broad: str) -> Iterator[Relation]:
    """Yield the edges from a class to its parents that are, or are below, another class."""
    low, high = learned.by_name.get(narrow), learned.by_name.get(broad)
    if low is None or high is None or low.iri == high.iri:
        return
    for edge in learned.ontology.edges("subclass_of"):
        if edge.source == low.iri and (edge.target == high.iri or high.iri in learned.above(edge.target)):
            yield edge


def _reason(learned: Learned, edge: Relation, choice: str, wording: Wording) -> Reason:
    zh = wording.language == "zh"
    target = learned.ontology.by_iri[edge.target].label
    parts = [told(edge.evidence, "evidence.kind_", wording.language)]
    if edge.support:
        parts.append(f"{edge.support} 篇文献" if zh else f"{edge.support} paper{'s' * (edge.support != 1)}")
    titles = tuple(title for d in edge.documents if (title := learned.titles.get(d)))
    if titles:
        parts.append(f"如《{titles[0]}》" if zh else f"such as {titles[0]}")
    if target != choice:
        parts.insert(0, f"经由“{target}”" if zh else f"by way of {wording.term(target)}")
    return Reason(("；" if zh else "; ").join(part for part in parts if part), titles, edge.sentence)
