"""The graph as a Cypher script for cypher-shell and Neo4j Browser: constraints, then batches of MERGE.

Values are literals in the script, escaped here; labels, types and keys are those of the schema. A script is parsed by
the same grammar and never executed: a line that an export does not write is refused.

    cypher-shell -a neo4j://localhost:7687 -u neo4j -f crawl.cypher
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from kg import schema
from kg.interchange.elements import LABELS, TYPES, Edge, InterchangeError, Node, checked
from kg.interchange.filling import edge_statement, node_statement
from kg.interchange.spool import Spool

_ROWS = 200
"""Rows of one statement: each literal is planned again."""
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL = re.compile("[\\\\'\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_UNESCAPES = {"\\": "\\", "'": "'", "n": "\n", "r": "\r", "t": "\t"}
_NUMBERS = {"(0.0/0.0)": math.nan, "(1.0/0.0)": math.inf, "(-1.0/0.0)": -math.inf}
_TOKEN = re.compile(
    r"\s*(?:(?P<text>'(?:[^'\\]|\\.)*')|(?P<odd>\(-?[01]\.0/0\.0\))|(?P<number>-?\d[\d.]*(?:[eE][-+]?\d+)?)"
    r"|(?P<word>[^\W\d]\w*)|(?P<mark>[{}\[\]:,]))"
)
_UNWIND = "UNWIND $rows AS row "
_NO_ROWS = ("//", "CREATE CONSTRAINT ", "CREATE INDEX ", "CREATE FULLTEXT INDEX ")
"""How lines begin that have no rows: comments, and the schema."""


def write(graph: Spool, stream: IO[bytes]) -> None:
    """Write the script as UTF-8.

    Args:
        graph: all nodes and relationships.
        stream: a binary file.
    """
    head = f"// A graph of ontocrawl, schema version {schema.VERSION}, for cypher-shell and ontocrawl graph import\n"
    stream.write(head.encode())
    for statement in schema.statements():
        stream.write(f"{statement};\n".encode())
    for label in graph.labels():
        rows = (f"  {{key: {literal(n.key)}, props: {_map(n.props)}}}" for n in graph.nodes(label))
        _batches(stream, rows, node_statement(label))
    for edge_type in graph.types():
        pairs = ((literal(e.source), literal(e.target), _map(e.props)) for e in graph.edges(edge_type))
        rows = (f"  {{source: {source}, target: {target}, props: {props}}}" for source, target, props in pairs)
        _batches(stream, rows, edge_statement(edge_type))


def _batches(stream: IO[bytes], rows: Iterator[str], statement: str) -> None:
    close = _closing(statement)
    for number, row in enumerate(rows):
        if number % _ROWS == 0:
            stream.write(b"UNWIND [\n" if number == 0 else f"\n{close}\nUNWIND [\n".encode())
        else:
            stream.write(b",\n")
        stream.write(row.encode())
    stream.write(f"\n{close}\n".encode())


def _closing(statement: str) -> str:
    return f"] AS row {statement.removeprefix(_UNWIND)};"


def literal(value: Any) -> str:
    r"""Return a value of an export as a Cypher literal; NaN and the infinities are written as quotients.

    >>> literal("it's"), literal([1, 2.5]), literal(float("inf"))
    ("'it\\'s'", '[1, 2.5]', '(1.0/0.0)')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        odd = next((text for text, number in _NUMBERS.items() if repr(number) == repr(value)), None)
        return odd or repr(value)
    if isinstance(value, str):
        return f"'{_SPECIAL.sub(lambda match: _escape(match[0]), value)}'"
    return f"[{', '.join(literal(item) for item in value)}]"


def _escape(letter: str) -> str:
    return _ESCAPES.get(letter) or f"\\u{ord(letter):04X}"


def _map(props: Any) -> str:
    return "{" + ", ".join(f"{name}: {literal(value)}" for name, value in props.items()) + "}"


def read(path: Path) -> Iterator[Node | Edge]:
    """Yield the nodes and relationships of a script that ``write`` wrote; raise InterchangeError with the line."""
    known = {_closing(node_statement(label)): label for label in LABELS}
    known |= {_closing(edge_statement(edge_type)): edge_type for edge_type in TYPES}
    rows: list[tuple[int, str]] = []
    inside, last = False, ""
    with path.open(encoding="utf-8-sig") as stream:
        for number, line in enumerate(stream, 1):
            text = line.removesuffix("\n")
            last = text if text.strip() and not text.startswith("//") else last
            if not inside:
                inside = text == "UNWIND ["
                if not inside and not text.startswith(_NO_ROWS) and text.strip():
                    raise _foreign(path, number, text)
            elif text.startswith("] AS row "):
                if text not in known:
                    raise _foreign(path, number, text)
                for row_number, row in rows:
                    yield _element(path, row_number, row, known[text])
                rows, inside = [], False
            else:
                rows.append((number, text))
    if inside or not last.endswith(";"):
        raise InterchangeError("interchange.ends_within_statement_file", path=path)


def _foreign(path: Path, number: int, text: str) -> InterchangeError:
    return InterchangeError("interchange.line_not_line_graph", path=path, number=number, text=text[:80])


def _element(path: Path, number: int, text: str, name: str) -> Node | Edge:
    try:
        row = parse(text.strip().removesuffix(","))
        props = checked(row["props"], f"{path}, line {number}")
        if name in LABELS:
            return Node(name, _string(row["key"]), props)
        return Edge(name, _string(row["source"]), _string(row["target"]), props)
    except InterchangeError:
        raise
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InterchangeError("interchange.line_not_row_graph", path=path, number=number, error=error) from error


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text for a key, found {value!r}")
    return value


def parse(text: str) -> Any:
    """Return the value of one literal as ``literal`` writes it, maps included; raise ValueError for other text.

    >>> parse("{name: 'x', items: [1, true]}")
    {'name': 'x', 'items': [1, True]}
    """
    tokens = list(_tokens(text))
    value, position = _value(tokens, 0)
    if position != len(tokens):
        raise ValueError(f"{tokens[position][1][:40]!r} after the end of the value")
    return value


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            if text[position:].strip():
                raise ValueError(f"cannot read {text[position : position + 40]!r}")
            return
        yield match.lastgroup, match[match.lastgroup]
        position = match.end()


def _value(tokens: list[tuple[str, str]], position: int) -> tuple[Any, int]:
    kind, text = tokens[position]
    if kind == "text":
        return re.sub(r"\\(u[0-9A-Fa-f]{4}|.)", _unescape, text[1:-1]), position + 1
    if kind == "odd":
        return _NUMBERS[text], position + 1
    if kind == "number":
        return (int(text) if re.fullmatch(r"-?\d+", text) else float(text)), position + 1
    if text in ("true", "false"):
        return text == "true", position + 1
    if text == "[":
        return _list(tokens, position + 1)
    if text == "{":
        return _pairs(tokens, position + 1)
    raise ValueError(f"found {text!r} where a value was expected")


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _UNESCAPES[code]


def _list(tokens: list[tuple[str, str]], position: int) -> tuple[list[Any], int]:
    items: list[Any] = []
    while tokens[position][1] != "]" or tokens[position][0] != "mark":
        item, position = _value(tokens, position)
        items.append(item)
        position = _after_comma(tokens, position, "]")
    return items, position + 1


def _pairs(tokens: list[tuple[str, str]], position: int) -> tuple[dict[str, Any], int]:
    pairs: dict[str, Any] = {}
    while tokens[position] != ("mark", "}"):
        (kind, name), colon = tokens[position], tokens[position + 1]
        if kind != "word" or colon != ("mark", ":"):
            raise ValueError(f"found {name!r} where a name and a colon were expected")
        pairs[name], position = _value(tokens, position + 2)
        position = _after_comma(tokens, position, "}")
    return pairs, position + 1


def _after_comma(tokens: list[tuple[str, str]], position: int, closing: str) -> int:
    if tokens[position] == ("mark", ","):
        return position + 1
    if tokens[position] != ("mark", closing):
        raise ValueError(f"found {tokens[position][1]!r} where , or {closing} was expected")
    return position
