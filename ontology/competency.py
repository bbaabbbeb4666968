"""Competency questions: what an ontology must be able to answer, each with a query and conditions on its rows.

Source: Grüninger and Fox 1995, "Methodology for the design and evaluation of ontologies". This module reads and judges
the questions; the caller runs the queries on the ontology's graph.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ontology.errors import Message, OntocrawlError
from ontology.files import read_text

_COUNTS = ("rows", "at_least", "at_most")
_TEXTS = ("id", "zh", "en", "sparql", "cypher")
_LISTS = ("contains", "lacks")


class QuestionError(OntocrawlError, ValueError):
    """An invalid file of questions; the message names the file and question, what was expected and what was found."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its query and at least one expectation; ``contains`` and ``lacks`` look at all columns."""

    id: str
    zh: str
    en: str
    language: Literal["sparql", "cypher"]
    query: str
    rows: int | None = None
    at_least: int | None = None
    at_most: int | None = None
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()

    def title(self, language: str = "zh") -> str:
        """Return the question in a language, or in the other one if that is missing."""
        return (self.zh or self.en) if language == "zh" else (self.en or self.zh)


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The questions of a file, and their topic ("" if the file names none)."""

    topic: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """The result of a question; it holds if ``reasons`` is empty."""

    question: Question
    rows: int
    reasons: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether all expectations are met."""
        return not self.reasons


def read(path: Path) -> QuestionFile:
    """Read the questions of a TOML file. Raises QuestionError naming file, question and key."""
    try:
        data = tomllib.loads(read_text(path, QuestionError))
    except tomllib.TOMLDecodeError as error:
        raise QuestionError("ontology.questions_toml", path=path, error=error) from error
    unknown = sorted(set(data) - {"topic", "question"})
    if unknown:
        raise QuestionError("ontology.no_key_expected_topic", path=path, unknown=unknown[0])
    entries = data.get("question", [])
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise QuestionError("ontology.questions_none", path=path)
    questions = tuple(_question(entry, f"{path}, question {n}") for n, entry in enumerate(entries, 1))
    ids = [q.id for q in questions]
    doubled = next((i for i in ids if ids.count(i) > 1), None)
    if doubled is not None:
        raise QuestionError("ontology.questions_twice", path=path, doubled=doubled)
    return QuestionFile(str(data.get("topic", "")), questions)


def judge(question: Question, rows: Sequence[Mapping[str, Any]]) -> QuestionResult:
    """Compare the rows of a query with the expectations of its question.

    Args:
        question: the question.
        rows: the rows of its query; values are compared as text, lists by their items.

    Returns:
        The result, with a reason for each expectation that is not met.

    >>> question = Question("q1", "", "Which floods?", "sparql", "SELECT ...", at_least=2, contains=("flood",))
    >>> judge(question, [{"label": "flash flood"}]).reasons
    ('expected 2 rows or more, found 1', "expected 'flood' among the answers")
    """
    n = len(rows)
    values = {str(value) for row in rows for value in _flat(list(row.values()))}
    reasons = list[str]()
    if question.rows is not None and n != question.rows:
        reasons.append(Message("ontology.answer_rows", rows=question.rows, n=n))
    if question.at_least is not None and n < question.at_least:
        reasons.append(Message("ontology.answer_at_least", rows=question.at_least, n=n))
    if question.at_most is not None and n > question.at_most:
        reasons.append(Message("ontology.answer_at_most", rows=question.at_most, n=n))
    reasons += [Message("ontology.answer_contains", value=value) for value in question.contains if value not in values]
    reasons += [Message("ontology.answer_lacks", value=value) for value in question.lacks if value in values]
    return QuestionResult(question, n, tuple(reasons))


def _flat(values: Sequence[Any]) -> list[Any]:
    return [item for value in values for item in (_flat(value) if isinstance(value, list) else [value])]


def _question(entry: Mapping[str, Any], where: str) -> Question:
    for key, value in entry.items():
        _check(key, value, where)
    languages = [name for name in ("sparql", "cypher") if entry.get(name)]
    if not entry.get("id") or not (entry.get("zh") or entry.get("en")):
        raise QuestionError("ontology.questions_id", where=where)
    if len(languages) != 1:
        raise QuestionError("ontology.questions_query", where=where, id=entry["id"])
    if not any(key in entry for key in (*_COUNTS, *_LISTS)):
        raise QuestionError(
            "ontology.questions_holds", where=where, id=entry["id"], join=", ".join((*_COUNTS, *_LISTS))
        )
    language: Literal["sparql", "cypher"] = "sparql" if languages[0] == "sparql" else "cypher"
    return Question(
        id=entry["id"],
        zh=entry.get("zh", ""),
        en=entry.get("en", ""),
        language=language,
        query=entry[language],
        rows=entry.get("rows"),
        at_least=entry.get("at_least"),
        at_most=entry.get("at_most"),
        contains=tuple(entry.get("contains", ())),
        lacks=tuple(entry.get("lacks", ())),
    )


def _check(key: str, value: Any, where: str) -> None:
    if key in _TEXTS:
        valid = isinstance(value, str)
        expected = "a text"
    elif key in _COUNTS:
        valid = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        expected = "a whole number, 0 or more"
    elif key in _LISTS:
        valid = isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)
        expected = "a list of texts"
    else:
        raise QuestionError("ontology.no_key_known", where=where, key=key, join=", ".join((*_TEXTS, *_COUNTS, *_LISTS)))
    if not valid:
        raise QuestionError("ontology.questions_value", where=where, expected=expected, key=key, value=value)
