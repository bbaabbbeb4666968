"""Query headers: their parser, declared parameters, and the binding of values.

    // title: short title         // answers: the question            // param: name type default meaning
    // returns: column, column    // example: name=value name=value   // cost: what it walks over

Types of parameters are text, integer, number, flag, list (of texts) and date (ISO-8601); integer and number may have a
range: ``integer[1..500]``, ``number[0..]``, and text a list of choices: ``text[hub|authority]``. A default is JSON,
``required``, or ``newest``: empty, which the statement reads as the newest crawl; the meaning then says so. A column
has the type of its name (queries/columns.py), or the one written after it: ``relevant integer``. The example runs on
the graph that the demo creates. A cost that begins with ``slow`` may take more than two seconds if a crawl has 100,000
pages. ``// stored: link figures`` marks a query of one ``crawl`` that reads figures of its links which
`kg.ranking.crawl_ranks` stores. ``// needs: crawl, fetched`` names, in order, what must be in the graph for rows to be
found (ontocrawl/graph/query_parameters.py); why there may be none although it is all there is a sentence of
ontology/data/messages/no_rows.toml. ``// formerly: folder/name`` keeps a former name working. ``// lists: column,
column`` names the columns whose lists have at most ``names`` entries, a parameter. ``// most: column number`` gives
rows up to this value of the column only, which the statement passes by one. ``// internal: module`` instead of answers,
example and cost marks a statement that only that module sends (it may write; ``rows`` is its batch).

A walk along the hierarchy is written as WALK has it, from a concept ``start`` to each ``reached`` one, without a bound.
kg/walks.py runs such a statement in two parts, with the walk between them.
"""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import Any

from ontology.errors import Message, OntocrawlError, closest
from queries.columns import declared

_LARGEST = 2**63 - 1
_FOR_USERS = frozenset({"title", "answers", "returns", "example", "cost"})
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?)?)?")
_KNOWN = _FOR_USERS | {"param", "internal", "formerly", "stored", "needs", "lists", "most"}
WALK = re.compile(
    r"(?P<crawl>MATCH \(c:Crawl\)\n(?:.+\n)+?WITH c ORDER BY .+ LIMIT 1\n)?(?P<starts>(?:.+\n)+?)"
    r"MATCH way = \(start\)(?P<down><?)-\[:SUBCLASS_OF\|PART_OF\*0\.\. \{ontology: o\.iri\}\]->?\(reached:Concept\)\n"
    r"WITH (?P<kept>(?:c, )?start, o, reached), min\(length\(way\)\) AS distance\n"
)
"""The beginning of a statement that walks along the hierarchy of an ontology ``o``."""
_NEWEST = "; empty: the newest one"
_LAST_LIMIT = re.compile(r"LIMIT \$limit\s*$")
LINK_FIGURES = "link figures"


class QueryError(OntocrawlError, ValueError):
    """A request that the library cannot fulfil; the message says what is possible."""


class HeaderError(QueryError):
    """A header that does not parse."""


class ParameterError(QueryError):
    """Values that do not fit the parameters of a query, which ``names`` lists."""

    def __init__(self, message: str, /, *names: str, **values: Any) -> None:
        super().__init__(message, **values)
        self.names = names


class MissingParameterError(ParameterError):
    """A required parameter without a value."""


class UnknownParameterError(ParameterError):
    """A value for a parameter that the query does not have."""


class MistypedParameterError(ParameterError):
    """A value of another type than declared, or out of its range."""


def _flag(value: Any) -> bool:
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    return known[str(value).lower()]


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError(value)
    return str(value).encode("utf-8").decode("utf-8")  # a half of a surrogate pair is no text: UnicodeEncodeError


def _integer(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()) or abs(int(value)) > _LARGEST:
        raise TypeError(value)
    return int(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not math.isfinite(float(value)):
        raise TypeError(value)
    return float(value)


def _list(value: Any) -> list[str]:
    parts = value.split(",") if isinstance(value, str) else value
    return [text for part in parts if (text := _text(part).strip())]


def _date(value: Any) -> str:
    """Return an ISO-8601 date, as texts of it compare: a year, a month, a day, or a day with a time; or empty text."""
    text = (_moment_text(value) or _text(value)).strip()
    if text and (_DATE.fullmatch(text) is None or not date.fromisoformat(f"{text[:10]}-01-01"[:10])):
        raise ValueError(value)
    return text


def _moment_text(value: Any) -> str | None:
    """Return the text of a date or time of Python, NumPy or pandas, as the graph has them; None for another value.

    A time with a zone is converted to UTC. One at midnight without a zone is a day: data frames have no others.

    >>> from datetime import timedelta, timezone
    >>> _moment_text(datetime(2024, 5, 1, 1, 30, tzinfo=timezone(timedelta(hours=8))))
    '2024-04-30T17:30:00+00:00'
    >>> _moment_text(date(2024, 5, 1)), _moment_text(datetime(2024, 5, 1)), _moment_text("2024")
    ('2024-05-01', '2024-05-01', None)
    """
    if getattr(getattr(value, "dtype", None), "kind", "") == "M" and hasattr(value, "astype"):  # numpy.datetime64
        value = value.astype("datetime64[us]").item()
        if value is None:
            raise ValueError("not a time")
    if not isinstance(value, datetime):
        return value.isoformat() if isinstance(value, date) else None
    if value.tzinfo is not None:
        return value.astimezone(UTC).isoformat()
    return (
        value.date().isoformat() if value == datetime.combine(value.date(), datetime.min.time()) else value.isoformat()
    )


TYPES: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {"text": _text, "integer": _integer, "number": _number, "flag": _flag, "list": _list, "date": _date}
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A declared parameter; ``default`` applies only if it is not ``required``."""

    name: str
    type: str
    default: Any
    required: bool
    meaning: str
    least: float | None = None
    most: float | None = None
    """Range of an integer or number, both bounds included; None: unbounded."""
    choices: tuple[str, ...] = ()
    """Allowed texts; empty for any text."""
    newest: bool = False
    """Whether the statement takes the newest crawl for the default, which is empty."""

    def __post_init__(self) -> None:
        ranged = self.least is not None or self.most is not None
        if self.type not in TYPES or (ranged and self.type not in ("integer", "number")):
            raise ValueError(f"{self.name}: expected one of {', '.join(TYPES)}, a range only with numbers")
        if (self.choices or self.newest) and self.type != "text":
            raise ValueError(f"{self.name}: expected choices and the newest crawl only with text")

    @property
    def expected(self) -> str:
        """Type and range in words: ``integer from 1 to 500``, ``hub or authority``."""
        if self.type == "date":
            return Message("queries.type_date")
        if self.choices:
            return " or ".join(choice or "empty" for choice in self.choices)
        least, most = (None if end is None else _plain(end) for end in (self.least, self.most))
        if least is None:
            return Message(f"queries.type_{self.type}")
        kind = Message(f"queries.type_{self.type}")
        if most is None:
            return Message("queries.type_least", type=kind, least=least)
        return Message("queries.type_range", type=kind, least=least, most=most)

    def convert(self, value: Any) -> Any:
        """Convert a value to the declared type, from text if necessary.

        Raises:
            ValueError, TypeError or KeyError: it cannot be converted or is out of range.

        >>> Parameter("limit", "integer", 5, False, "rows", least=1, most=500).convert("20")
        20
        """
        converted = TYPES[self.type](value)
        if (self.least is not None and converted < self.least) or (self.most is not None and converted > self.most):
            raise ValueError(value)
        if self.choices and converted not in self.choices:
            raise ValueError(value)
        return converted


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
    formerly: str = ""
    types: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Column -> its type, one of queries.columns.COLUMN_TYPES; columns of other names have none."""
    stored: str = ""
    """`LINK_FIGURES` if it reads figures that are stored with the crawl, else empty."""
    needs: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    """Columns whose lists have at most as many entries as the parameter ``names`` says."""
    most: tuple[str, int] | None = None
    """A column, and the value up to which rows are given."""

    @property
    def statement(self) -> str:
        """The text without the lines of the header, and without other comments of whole lines."""
        return without_comments(self.text)

    @property
    def counts_cheaply(self) -> bool:
        """Whether ``limit`` is the last clause: all that a row costs is then spent before rows are left out."""
        return _LAST_LIMIT.search(self.text) is not None

    def bind(self, given: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
        """Return all parameters with their values, converted from text if necessary.

        Raises:
            ParameterError: a value is missing, unknown or mistyped; ``names`` lists the parameters.
        """
        names = [p.name for p in self.parameters]
        for name in given:
            if name not in names:
                raise UnknownParameterError(
                    "queries.query_parameter",
                    name,
                    query=self.name,
                    name=name,
                    nearest=closest(name, names, Message("hints.known", names=", ".join(names) or "-")),
                )
        missing = [p for p in self.parameters if p.required and not str(given.get(p.name, "")).strip()]
        if missing:
            required = ", ".join(f"{p.name}={p.type} ({p.meaning})" for p in missing)
            raise MissingParameterError(
                "queries.query_needs", *(p.name for p in missing), name=self.name, required=required
            )
        return {p.name: self._value(p, given[p.name]) if p.name in given else p.default for p in self.parameters}

    def _value(self, p: Parameter, given: Any) -> Any:
        try:
            return p.convert(given)
        except (ValueError, TypeError, KeyError, OverflowError) as wrong:
            raise MistypedParameterError(
                "queries.query_value", p.name, name=self.name, p=p.name, expected=p.expected, given=_shown(given)
            ) from wrong

    def example_values(self) -> dict[str, str]:
        """Return the parameters of the header's example, as text."""
        return dict(part.split("=", 1) for part in shlex.split(self.example))


def without_comments(text: str) -> str:
    r"""Return a statement without the lines that are comments.

    >>> without_comments("// title: One\nRETURN 1 AS n")
    'RETURN 1 AS n'
    """
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("//"))


def parse(name: str, text: str, *, own: bool = False) -> Query:
    """Parse the file of a query.

    Args:
        name: folder/name.
        text: content of the file.
        own: whether it is a query of a user's, whose header may lack any line; its title is then its name.

    Raises:
        HeaderError: the header is incomplete.
    """
    fields: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        key, colon, value = line[2:].partition(":")
        if not colon:
            raise HeaderError("queries.query_header_line_without", name=name, line=line)
        fields.setdefault(key.strip(), []).append(value.strip())
    required = frozenset[str]() if own else {"title", "returns"} if "internal" in fields else _FOR_USERS
    missing = sorted(required - set(fields))
    unknown = sorted(set(fields) - (_KNOWN - {"internal", "formerly"} if own else _KNOWN))
    if missing or unknown:
        raise HeaderError(
            "queries.query_header_lacks_unknown", name=name, missing=missing or "nothing", unknown=unknown or "nothing"
        )
    one = {key: " ".join(values) for key, values in fields.items()}
    columns, types = _columns(name, one.get("returns", ""))
    parameters = tuple(_parameter(name, line) for line in fields.get("param", []))
    extra = {key: one.get(key, "") for key in ("example", "cost", "internal", "formerly", "stored")}
    if extra["stored"] and (extra["stored"] != LINK_FIGURES or "crawl" not in [p.name for p in parameters]):
        raise HeaderError("queries.query_expected_parameter_crawl", name=name, link_figures=LINK_FIGURES)
    return Query(
        name,
        one.get("title") or name,
        one.get("answers", ""),
        parameters,
        columns,
        text,
        **extra,
        types=types,
        needs=_names(one.get("needs", "")),
        lists=_bounded(name, columns, parameters, one.get("lists", "")),
        most=_most(name, columns, one.get("most", "")),
    )


def _columns(query: str, line: str) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """Return the names of the columns, and the types of those that have one."""
    try:
        found = [declared(column) for column in line.split(",") if column.strip()]
    except ValueError as wrong:
        raise HeaderError("queries.query_returns_found", query=query, wrong=wrong, line=line) from wrong
    return tuple(name for name, _ in found), {name: kind for name, kind in found if kind}


def _bounded(query: str, columns: Sequence[str], parameters: Sequence[Parameter], line: str) -> tuple[str, ...]:
    lists = _names(line)
    if not set(lists) <= set(columns) or bool(lists) != any(p.name == "names" for p in parameters):
        raise HeaderError("queries.query_expected_parameter_names", query=query, line=line or "no lists")
    return lists


def _most(query: str, columns: Sequence[str], line: str) -> tuple[str, int] | None:
    column, _, number = line.partition(" ")
    if line and (column not in columns or not number.isdecimal()):
        raise HeaderError("queries.query_expected_found", query=query, line=line)
    return (column, int(number)) if line else None


def _names(line: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in line.split(",") if name.strip())


def _parameter(query: str, line: str) -> Parameter:
    try:
        name, declared, default, *meaning = line.split(maxsplit=3)
        kind, _, ends = declared.partition("[")
        inside, least, most = ends.removesuffix("]"), None, None
        choices = tuple(inside.split("|")) if "|" in inside else ()
        if inside and not choices:
            least, most = (float(end) if end else None for end in inside.split(".."))
        parameter = Parameter(name, kind, None, default == "required", "".join(meaning), least, most, choices)
        if default == "newest":
            return replace(parameter, default="", newest=True, meaning=f"{parameter.meaning}{_NEWEST}")
        return parameter if parameter.required else replace(parameter, default=parameter.convert(json.loads(default)))
    except (ValueError, TypeError, KeyError) as wrong:
        raise HeaderError("queries.query_expected_found_2", query=query, line=line) from wrong


def _plain(end: float) -> str:
    return str(int(end)) if end == int(end) else str(end)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
