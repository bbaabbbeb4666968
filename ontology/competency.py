"""Competency questions: what an ontology must be able to answer, each with a query and what must hold of its rows.

Source: Grüninger and Fox 1995, "Methodology for the design and evaluation of ontologies". Here are the questions and
the judgement; whoever has the ontology's graph runs the queries.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ontology.files import read_text

_COUNTS = ("rows", "at_least", "at_most")
_TEXTS = ("id", "zh", "en", "sparql", "cypher")
_LISTS = ("contains", "lacks")


class QuestionError(ValueError):
    """A file of questions that cannot be used: which file and question, what was expected, what was found."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question. At least one expectation is given; ``contains`` and ``lacks`` look at all columns."""

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
        """The question in a language, else in the other one."""
        return (self.zh or self.en) if language == "zh" else (self.en or self.zh)


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """A file's questions, and the topic that they are asked of ("" where the caller says it)."""

    topic: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """How a question was answered; it holds where ``reasons`` is empty."""

    question: Question
    rows: int
    reasons: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.reasons


def read(path: Path) -> QuestionFile:
    """The questions of a TOML file. Raises QuestionError naming file, question and key."""
    try:
        data = tomllib.loads(read_text(path, QuestionError))
    except tomllib.TOMLDecodeError as error:
        raise QuestionError(f"{path} is not valid TOML: {error}") from error
    unknown = sorted(set(data) - {"topic", "question"})
    if unknown:
        raise QuestionError(f"{path}: there is no key {unknown[0]!r}; expected topic and [[question]]")
    given = data.get("question", [])
    if not isinstance(given, list) or not given or not all(isinstance(entry, dict) for entry in given):
        raise QuestionError(f"{path}: expected one table [[question]] or more, found none")
    questions = tuple(_question(entry, f"{path}, question {n}") for n, entry in enumerate(given, 1))
    ids = [q.id for q in questions]
    doubled = next((i for i in ids if ids.count(i) > 1), None)
    if doubled is not None:
        raise QuestionError(f"{path}: two questions have the id {doubled!r}")
    return QuestionFile(str(data.get("topic", "")), questions)


def judge(question: Question, rows: Sequence[Mapping[str, Any]]) -> QuestionResult:
    """Whether the rows of its query are what the question expects; every reason why not."""
    n = len(rows)
    values = {str(value) for row in rows for value in _flat(list(row.values()))}
    reasons = []
    if question.rows is not None and n != question.rows:
        reasons.append(f"expected {question.rows} rows, found {n}")
    if question.at_least is not None and n < question.at_least:
        reasons.append(f"expected {question.at_least} rows or more, found {n}")
    if question.at_most is not None and n > question.at_most:
        reasons.append(f"expected {question.at_most} rows or fewer, found {n}")
    reasons += [f"expected {wanted!r} among the answers" for wanted in question.contains if wanted not in values]
    reasons += [f"did not expect {unwanted!r} among the answers" for unwanted in question.lacks if unwanted in values]
    return QuestionResult(question, n, tuple(reasons))


def _flat(values: Sequence[Any]) -> list[Any]:
    return [item for value in values for item in (_flat(value) if isinstance(value, list) else [value])]


def _question(entry: Mapping[str, Any], where: str) -> Question:
    for key, value in entry.items():
        _check(key, value, where)
    languages = [name for name in ("sparql", "cypher") if entry.get(name)]
    if not entry.get("id") or not (entry.get("zh") or entry.get("en")):
        raise QuestionError(f"{where}: expected an id, and the question as zh or en")
    if len(languages) != 1:
        raise QuestionError(f"{where} ({entry['id']}): expected a query, either sparql or cypher")
    if not any(key in entry for key in (*_COUNTS, *_LISTS)):
        raise QuestionError(f"{where} ({entry['id']}): expected what must hold: {', '.join((*_COUNTS, *_LISTS))}")
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
        right = isinstance(value, str)
        wanted = "a text"
    elif key in _COUNTS:
        right = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        wanted = "a whole number, 0 or more"
    elif key in _LISTS:
        right = isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)
        wanted = "a list of texts"
    else:
        raise QuestionError(f"{where}: there is no key {key!r}; known: {', '.join((*_TEXTS, *_COUNTS, *_LISTS))}")
    if not right:
        raise QuestionError(f"{where}: expected {wanted} for {key}, found {value!r}")
