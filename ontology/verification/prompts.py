"""The prompts of questions with a menu, the JSON schema of their answers, and an estimate of their tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ontology.terms.wordforms import has_han

ANSWER_TOKENS = 24
"""Tokens of one answer: its number, a label, and the JSON around them."""
YES_NO = ("yes", "no")

Messages = tuple[Mapping[str, str], ...]
"""Messages of a chat, each with ``role`` and ``content``."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a request.

    Attributes:
        text: the term, or the two terms, that it is about.
        choices: answers that it allows beside those of the task.
        excluded: answers of the task that it does not allow.
    """

    text: str
    choices: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """What all questions of a kind share.

    Attributes:
        instructions: what to do, as the message of the system.
        choices: the answers that all questions allow, but for those that one excludes.
    """

    instructions: str
    choices: tuple[str, ...]

    def allows(self, question: Question) -> tuple[str, ...]:
        """Return the answers that a question allows."""
        return tuple(c for c in (*question.choices, *self.choices) if c not in question.excluded)


def placing(field: str, classes: Sequence[str], none: str) -> Task:
    """Make the task of choosing the class directly above a term.

    Args:
        field: label of the field that the terms are from.
        classes: the classes that every term may be placed under.
        none: the answer for a term without a class in the menu.

    Returns:
        The task.
    """
    return Task(
        f"You place terms of the field {field} in a hierarchy of classes. For each numbered term X choose the class Y, "
        "from the list of classes or from the term's own list, for which 'every X is a Y' is true. Prefer the most "
        "specific such class. A cause, an effect, a part, a property, a place or a topic of X is not a class "
        f'of X. If no class of the lists fits, answer "{none}": no class is better than a doubtful one. Copy the class '
        'as it is written. Answer with JSON only: {"answers": [{"number": 1, "answer": "class"}]}',
        (*classes, none),
    )


def confirming(field: str) -> Task:
    """Make the task of deciding whether every X is a Y. Its answers are "yes" and "no"."""
    return Task(
        f"You check a hierarchy of classes of the field {field}. For each numbered pair decide whether 'every X is a "
        "Y' is true, read strictly. "
        'Answer "no" if X only contains the word Y, causes Y, has Y or is about Y; in doubt '
        'answer "yes". Answer with JSON only: {"answers": [{"number": 1, "answer": "yes"}]}',
        YES_NO,
    )


def messages(task: Task, questions: Sequence[Question]) -> Messages:
    """Return the messages that ask some questions, which are numbered from 1."""
    lines = [] if task.choices == YES_NO else [f"Classes: {'; '.join(task.choices)}"]
    for number, question in enumerate(questions, 1):
        own = f" (own list: {'; '.join(question.choices)})" if question.choices else ""
        lines.append(f"{number}. {question.text}{own}")
    return ({"role": "system", "content": task.instructions}, {"role": "user", "content": "\n".join(lines)})


def schema(task: Task, questions: Sequence[Question]) -> dict[str, Any]:
    """Return the JSON schema of the answers.

    An answer is any choice of any of the questions: one list for all keeps the schema within the limits of servers.
    Whether a question allows its answer is checked afterwards.
    """
    choices = dict.fromkeys((*task.choices, *(c for q in questions for c in q.choices)))
    item = {
        "type": "object",
        "properties": {"number": {"type": "integer"}, "answer": {"type": "string", "enum": list(choices)}},
        "required": ["number", "answer"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"answers": {"type": "array", "items": item}},
        "required": ["answers"],
        "additionalProperties": False,
    }


def estimate(task: Task, questions: Sequence[Question]) -> int:
    """Estimate the tokens of a request with its answer."""
    return sum(8 + tokens(m["content"]) for m in messages(task, questions)) + ANSWER_TOKENS * len(questions)


def tokens(text: str) -> int:
    """Estimate the tokens of a text: one for each Han character, one for four others.

    >>> tokens("暴雨"), tokens("flash flood")
    (2, 3)
    """
    han = sum(map(has_han, text))
    return han + (len(text) - han + 3) // 4
