"""The Cypher library: folder/name.cypher files, each one statement under a header of comment lines.

    // title: what it is          // answers: the question            // param: name type default meaning
    // returns: column, column    // example: values, name=value ..   // cost: what it walks over

Types are text, integer, number, flag and list; a default is JSON, or ``required``. ``// internal: module`` instead of
answers, example and cost marks a statement that only that module sends (it may write; ``rows`` is its batch).
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any


class QueryError(ValueError):
    """An unknown query, a header that does not parse, or parameters that do not fit."""


def _flag(given: Any) -> bool:
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    return known[str(given).lower()]


def _text(given: Any) -> str:
    if not isinstance(given, str | int | float):
        raise TypeError(given)
    return str(given)


def _integer(given: Any) -> int:
    if isinstance(given, bool) or (isinstance(given, float) and not given.is_integer()):
        raise TypeError(given)
    return int(given)


def _number(given: Any) -> float:
    if isinstance(given, bool) or not math.isfinite(float(given)):
        raise TypeError(given)
    return float(given)


def _list(given: Any) -> list[Any]:
    return [part.strip() for part in given.split(",") if part.strip()] if isinstance(given, str) else list(given)


TYPES: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {"text": _text, "integer": _integer, "number": _number, "flag": _flag, "list": _list}
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A declared parameter; ``default`` counts only where it is not ``required``."""

    name: str
    type: str
    default: Any
    required: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Query:
    """One statement of the library with its header."""

    name: str
    title: str
    answers: str
    parameters: tuple[Parameter, ...]
    returns: tuple[str, ...]
    text: str
    example: str = ""
    cost: str = ""
    internal: str = ""

    def bind(self, given: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
        """All parameters with their values, converted from text where needed; raises QueryError."""
        names = [p.name for p in self.parameters]
        for name in given:
            if name not in names:
                raise QueryError(f"query {self.name} has no parameter {name!r}{_nearest(name, names)}")
        return {p.name: self._value(p, given) for p in self.parameters}

    def _value(self, p: Parameter, given: Mapping[str, Any]) -> Any:
        if p.name not in given:
            if p.required:
                raise QueryError(f"query {self.name} needs {p.name}={p.type} ({p.meaning})")
            return p.default
        try:
            return TYPES[p.type](given[p.name])
        except (ValueError, TypeError, KeyError) as wrong:
            raise QueryError(f"query {self.name}: {p.name} must be {p.type}, found {given[p.name]!r}") from wrong


def get(name: str) -> Query:
    """The query called folder/name; raises QueryError that names the nearest one."""
    if name not in _library():
        raise QueryError(f"no query {name!r}{_nearest(name, [q.name for q in all_queries()])}")
    return _library()[name]


def all_queries(*, internal: bool = False) -> tuple[Query, ...]:
    """Queries for users, by name; with ``internal`` also the statements of the package kg."""
    return tuple(q for q in _library().values() if internal or not q.internal)


def parse(name: str, text: str) -> Query:
    """A query from the text of its file; raises QueryError where the header is incomplete."""
    fields: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        key, colon, value = line[2:].partition(":")
        if not colon:
            raise QueryError(f"query {name}: header line without a key: {line}")
        fields.setdefault(key.strip(), []).append(value.strip())
    wanted = ("title", "returns") if "internal" in fields else ("title", "answers", "returns", "example", "cost")
    missing = [key for key in wanted if key not in fields]
    unknown = sorted(set(fields) - {"title", "answers", "param", "returns", "example", "cost", "internal"})
    if missing or unknown:
        raise QueryError(f"query {name}: header lacks {missing or 'nothing'} and has unknown {unknown or 'nothing'}")
    one = {key: " ".join(values) for key, values in fields.items()}
    columns = tuple(c.strip() for c in one["returns"].split(",") if c.strip())
    parameters = tuple(_parameter(name, line) for line in fields.get("param", []))
    extra = {key: one.get(key, "") for key in ("example", "cost", "internal")}
    return Query(name, one["title"], one.get("answers", ""), parameters, columns, text, **extra)


def _parameter(query: str, line: str) -> Parameter:
    try:
        name, kind, default, meaning = line.split(maxsplit=3)
        required = default == "required"
        value = None if required else TYPES[kind](json.loads(default))
    except (ValueError, TypeError, KeyError) as wrong:
        raise QueryError(f"query {query}: expected `param: name type default meaning`, found: {line}") from wrong
    return Parameter(name, kind, value, required, meaning)


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known) or 'none'}"


def _files() -> Iterator[tuple[str, str]]:
    for folder in resources.files(__name__).iterdir():
        if folder.is_dir():
            for file in folder.iterdir():
                if file.name.endswith(".cypher"):
                    yield f"{folder.name}/{file.name.removesuffix('.cypher')}", file.read_text(encoding="utf-8")


@cache
def _library() -> Mapping[str, Query]:
    return MappingProxyType({name: parse(name, text) for name, text in sorted(_files())})
