"""The file of answers, ``settle.json`` in the output folder: written after each answer, so that nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ontocrawl.errors import CommandError, UsageError
from ontology.decisions import Decision
from ontology.errors import Message
from ontology.files import read_text, write_atomically

FILE = "settle.json"
FORMAT = 1
WRITTEN = ("id", "action", "term", "relation", "value")
"""What the file has of a decision."""


class SettleError(UsageError, ValueError):
    """A file of answers, or a file of questions, that is not valid; the message has the place."""


class AnsweredMeanwhile(CommandError):  # noqa: N818 - an outcome, not a defect
    """Another session has answered, or taken an answer back, since a person saw a question; nothing was written."""

    def __init__(self, who: str) -> None:
        by = Message("settling.last_answer_by", who=who) if who else ""
        super().__init__("settling.answered_meanwhile", by=by)
        self.who = who
        """Who gave the answer that is now the last; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Described:
    """An example that a person gave: its name, and chosen terms that it is, or is not, beyond the answer."""

    name: str
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question.

    Attributes:
        about: the terms of the premise, as they were asked.
        asked: the terms of the conclusion, as they were asked.
        holds: those of ``asked`` that everything which is ``about`` is.
        nothing: whether the answer was that nothing is all of ``about``; ``holds`` is then ``asked``.
        example: something that is ``about`` and none of the other terms of ``asked``.
        who: name of the person.
        when: date and time, ISO 8601.
    """

    about: tuple[str, ...]
    asked: tuple[str, ...]
    holds: tuple[str, ...]
    nothing: bool = False
    example: Described | None = None
    who: str = ""
    when: str = ""

    @property
    def refused(self) -> tuple[str, ...]:
        """The terms of ``asked`` that not everything is."""
        return tuple(term for term in self.asked if term not in self.holds)


@dataclass(frozen=True)
class Record:
    """The answers about some terms, and the decisions that were written for them; their file has the reasons."""

    ontology: str
    terms: tuple[str, ...]
    answers: tuple[Answer, ...] = ()
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True)
class State:
    """The records of a folder; the last one was used last."""

    records: tuple[Record, ...] = field(default=())

    def about(self, ontology: str, terms: Sequence[str]) -> Record:
        """Return the record of an ontology's terms, in any order; an empty one if there is none."""
        for record in self.records:
            if set(record.terms) == set(terms):
                return replace(record, ontology=ontology, terms=tuple(terms))
        return Record(ontology, tuple(terms))

    def with_record(self, record: Record) -> State:
        """Return the records with one replaced, or added, as the last."""
        return State((*(r for r in self.records if set(r.terms) != set(record.terms)), record))


def load(path: Path) -> State:
    """Read a file of answers; a missing one has no records.

    Raises:
        SettleError: the file is damaged, or of a later version.
    """
    if not path.exists():
        return State()
    try:
        data = json.loads(read_text(path, SettleError))
        if data["format"] != FORMAT:
            raise SettleError("settling.settle_format", path=path, format=data["format"], expected=FORMAT)
        return State(tuple(_record(entry) for entry in data["explorations"]))
    except (json.JSONDecodeError, LookupError, TypeError, AttributeError) as error:
        raise SettleError("settling.settle_damaged", path=path, error=repr(error)) from error


def save(path: Path, state: State) -> None:
    """Write a file of answers, atomically. Raises OSError."""
    data = {"format": FORMAT, "explorations": [_entry(record) for record in state.records]}
    write_atomically(path, (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode())


def _entry(record: Record) -> dict[str, Any]:
    return asdict(record) | {"decisions": [{name: getattr(d, name) for name in WRITTEN} for d in record.decisions]}


def _record(entry: Mapping[str, Any]) -> Record:
    answers = tuple(_answer(answer) for answer in entry["answers"])
    return Record(
        entry["ontology"], tuple(entry["terms"]), answers, tuple(Decision(**written) for written in entry["decisions"])
    )


def _answer(entry: Mapping[str, Any]) -> Answer:
    lists = {name: tuple(entry[name]) for name in ("about", "asked", "holds")}
    example = entry["example"]
    described = example and Described(example["name"], tuple(example["has"]), tuple(example["lacks"]))
    return Answer(**{**entry, **lists, "example": described or None})
