"""Answers of a language model, read from its text and checked against the menus."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ontology.terms.wordforms import fold
from ontology.verification.prompts import Question, Task

NONE = "none"
"""The answer that no class of the menu fits."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers in a text.

    Attributes:
        valid: index of the question -> the answer, as the menu spells it.
        refused: indexes of the questions whose answer the menu does not have.
    """

    valid: Mapping[int, str]
    refused: frozenset[int]


def read(text: str, task: Task, questions: Sequence[Question]) -> Answers:
    """Read the answers to some questions.

    Text around the JSON is skipped, and letters' case and width do not matter. An answer to no question is ignored; of
    two answers to one question the first counts.

    Args:
        text: what the model wrote.
        task: the task of the questions.
        questions: the questions, in the order of their numbers.

    Returns:
        The valid answers, and the refused ones. Questions in neither have no answer.

    >>> task = Task("", ("flood", "none"))
    >>> text = 'Here: {"answers": [{"number": 1, "answer": "Flood"}, {"number": 2, "answer": "dog"}]}'
    >>> read(text, task, [Question("flash flood"), Question("puppy"), Question("x")])
    Answers(valid={0: 'flood'}, refused=frozenset({1}))
    """
    valid: dict[int, str] = {}
    refused: set[int] = set()
    for number, answer in _pairs(text):
        index = number - 1
        if not 0 <= index < len(questions) or index in valid or index in refused:
            continue
        menu = {fold(choice): choice for choice in reversed(task.allows(questions[index]))}
        if fold(answer) in menu:
            valid[index] = menu[fold(answer)]
        else:
            refused.add(index)
    return Answers(valid, frozenset(refused))


def _pairs(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and answer of each entry of the last JSON object in a text that has answers."""
    entries = next((found["answers"] for found in reversed(list(_objects(text))) if _has_answers(found)), ())
    for entry in entries:
        number, answer = (entry.get("number"), entry.get("answer")) if isinstance(entry, dict) else (None, None)
        if isinstance(number, str) and number.isascii() and number.isdigit():
            number = int(number[:9])
        if isinstance(number, int) and isinstance(answer, str):
            yield number, answer.strip()


def _has_answers(found: Any) -> bool:
    return isinstance(found, dict) and isinstance(found.get("answers"), list)


def _objects(text: str) -> Iterator[Any]:
    """Yield the JSON objects in a text; those within another are not yielded."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            found, end = decoder.raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError):
            end = start + 1
        else:
            yield found
        start = text.find("{", end)
