"""Why a library query found no rows: what the graph lacks, or which parameter leaves out all rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kg import schema
from kg.store import GraphStore
from ontocrawl.needs import CRAWL, NEEDS
from ontocrawl.tables import Table
from ontology.errors import OntocrawlError
from queries import Parameter, Query

_MOST = 1_000_000
_OPEN: Mapping[str, Any] = {
    "since": "",
    "status": "",
    "ontology": "",
    "topic": "",
    "about": "",
    "concept": "",
    "kind": "",
    "fetched": False,
}
"""Parameter -> the value with which it leaves out no rows."""
_LOWEST, _HIGHEST = ("least", "promise"), ("most",)
"""Parameters that leave out no rows with their lowest, and with their highest value."""
_NAMES = re.compile(r"[:|]\s*(\w+)")
_COMMENT = re.compile(r"//[^\n]*")


def explained(
    graph: GraphStore, query: Query, given: Mapping[str, Any], found: Table, unknown: Sequence[OntocrawlError]
) -> Table:
    """Return the result of a query, without rows with the reason for that.

    Args:
        graph: the open graph.
        query: the query.
        given: its parameters.
        found: its result.
        unknown: errors for parameters that name nothing in the graph, which are then the reasons.
    """
    if found.rows:
        return found
    reasons = tuple(error.on_command_line() for error in unknown) or (reason(graph, query, query.bind(given)),)
    return replace(found, reasons=reasons)


def reason(graph: GraphStore, query: Query, values: Mapping[str, Any]) -> str:
    """Return why a query found no rows, most probably; found by looking at the graph.

    Args:
        graph: the open graph.
        query: the query.
        values: values of all its parameters.
    """
    shown = _shown(graph, values)
    lacking = next(_lacking(graph, query, shown), None) or _unwritten(graph, query)
    if lacking is not None:
        return lacking
    for name, value in _opened(query, values):
        rows = graph.read(query.text, **{**values, name: value})
        if rows:
            rest = "without it" if value in ("", False) else f"with {name}={value}"
            return f"{name}={values[name]} leaves out all rows: {rest} there are {_counted(len(rows), values)}"
    opened = dict(_opened(query, values))
    if len(opened) > 1 and graph.read(query.text, **{**values, **opened}):
        return f"{' and '.join(f'{name}={values[name]}' for name in opened)} together leave out all rows"
    return query.none.format(**shown) or "all that the query reads is in the graph, and nothing fits its parameters"


def _counted(rows: int, values: Mapping[str, Any]) -> str:
    return f"at least {rows}" if rows == values.get("limit") else str(rows)


def _shown(graph: GraphStore, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters for a sentence: an empty crawl is the newest one."""
    newest = graph.read(f"{CRAWL}RETURN c.id AS id", crawl=str(values.get("crawl", "")))
    return {"ontology": "", **values, "crawl": newest[0]["id"] if newest else values.get("crawl", "")}


def _lacking(graph: GraphStore, query: Query, shown: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each need of a query that the graph does not meet, in order."""
    for name in query.needs:
        need = NEEDS[name]
        used = {parameter: shown[parameter] for parameter in re.findall(r"\$(\w+)", need.test)}
        rows = graph.read(need.test, **used)
        if not rows or not rows[0]["met"]:
            yield need.without.format(**{**shown, "pages": 0, "best": 0.0, "own": "", **(rows[0] if rows else {})})


def _unwritten(graph: GraphStore, query: Query) -> str | None:
    """Return a sentence on a label of a query without needs in its header that no node of the graph has."""
    if query.needs:
        return None
    names = set(_NAMES.findall(_COMMENT.sub("", query.text)))
    for label in (label for label in schema.KEYS if label in names):
        if not graph.read(f"MATCH (n:{label}) RETURN n.{schema.KEYS[label]} AS key LIMIT 1"):
            return f"the graph has no node {label} (docs/graph-model.md)"
    return None


def _opened(query: Query, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each parameter that may leave out rows, with a value that leaves out none."""
    for parameter in query.parameters:
        value = _open(parameter)
        if value is not None and values[parameter.name] != value:
            yield parameter.name, value


def _open(parameter: Parameter) -> Any:
    if parameter.required:
        return None
    if parameter.name in _LOWEST and parameter.least is not None:
        return int(parameter.least) if parameter.type == "integer" else parameter.least
    if parameter.name in _HIGHEST:
        return _MOST
    return _OPEN.get(parameter.name)
