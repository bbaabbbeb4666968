"""The graph as a folder of CSV files in the form of `neo4j-admin database import full`, written and read.

One file for each label and relationship type, named after it, with a header of typed columns (`url:ID(Page)`,
`relevance:double`, `alt_zh:string[]`). Text is always quoted, so that an empty text or list ("") differs from a
missing value (nothing). Items of a list are separated by U+001F, the unit separator. `import.args` holds the options:

    neo4j-admin database import full neo4j @import.args
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from kg import schema
from kg.interchange.elements import (
    LABELS,
    TYPES,
    Edge,
    InterchangeError,
    Node,
    checked,
    converted,
    ends,
)
from kg.interchange.spool import Spool
from ontology.files import open_atomically, write_atomically

ARGUMENTS = "import.args"
_SEPARATOR = "\x1f"
_KINDS = {"boolean": "boolean", "integer": "long", "number": "double", "text": "string"}
_KIND_OF = {csv: kind for kind, csv in _KINDS.items()}
_NODE_KEY = re.compile(r"(?P<name>\w+):ID\((?P<label>\w+)\)")
_END = re.compile(r":(?P<end>START|END)_ID\((?P<label>\w+)\)")
_PROPERTY = re.compile(r"(?P<name>\w+):(?P<kind>boolean|long|double|string)(?P<list>\[\])?")
_ODD = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def write(graph: Spool, folder: Path) -> None:
    """Write the folder, in place of an older export; a folder with any other file is refused.

    Args:
        graph: all nodes and relationships.
        folder: the folder.

    Raises:
        InterchangeError: a property has values of several kinds, a list contains U+001F, or the folder is refused.
    """
    refuse_foreign(folder)
    for name in (*graph.labels(), *graph.types()):
        with opened(folder, name, graph.columns(name, "csv")) as put:
            for element in graph.nodes(name) if name in LABELS else graph.edges(name):
                put(element)
    written = [*graph.labels(), *graph.types()]
    write_arguments(folder, written)
    remove_files(folder, except_of=written)


@contextmanager
def opened(folder: Path, name: str, columns: Mapping[str, str]) -> Iterator[Callable[[Node | Edge], None]]:
    """Open the file of a label or relationship type, which appears with all its rows at the end of the block.

    Args:
        folder: the folder.
        name: the label or type.
        columns: kind of each property that the elements may have, as `kind_of` names it.

    Yields:
        A function that writes a node of the label, or a relationship of the type. It raises InterchangeError for an
        element with other properties, or a list that csv cannot hold.
    """
    if name in LABELS:
        head = [f"{schema.KEYS[name]}:ID({name})"]
    else:
        source, target = ends(name)
        head = [f":START_ID({source})", f":END_ID({target})"]
    head += [f"{prop}:{_KINDS[kind.removesuffix('[]')]}{'[]' * kind.endswith('[]')}" for prop, kind in columns.items()]
    writers, names = _writers(name, columns), columns.keys()
    with open_atomically(folder / f"{name}.csv") as stream:
        _line(stream, head)

        def put(element: Node | Edge) -> None:
            props = element.props
            if not props.keys() <= names:
                raise InterchangeError("interchange.no_column", name=name, keys=sorted(props.keys() - names))
            keys = [element.key] if isinstance(element, Node) else [element.source, element.target]
            values = [(props.get(prop), write) for prop, write in writers]
            cells = ["" if value is None else write(value) for value, write in values]
            _line(stream, [*map(_quoted, keys), *cells])

        yield put


def write_arguments(folder: Path, names: Collection[str]) -> None:
    """Write the options of neo4j-admin, which make the folder whole.

    Args:
        folder: the folder.
        names: labels and types that have a file.
    """
    options = ["--multiline-fields=true", "--array-delimiter=U+001F", "--read-buffer-size=33554432"]
    options += [f"--nodes={label}={label}.csv" for label in LABELS if label in names]
    options += [f"--relationships={edge_type}={edge_type}.csv" for edge_type in TYPES if edge_type in names]
    write_atomically(folder / ARGUMENTS, ("\n".join(options) + "\n").encode())


def remove_files(folder: Path, *, except_of: Collection[str] = ()) -> None:
    """Remove the files of an export but those of some labels and types."""
    for left in _export_files(folder):
        if left.stem not in except_of:
            left.unlink()


def remove(folder: Path) -> None:
    """Remove an export, `import.args` first; raise InterchangeError for a folder with any other file."""
    refuse_foreign(folder)
    (folder / ARGUMENTS).unlink(missing_ok=True)
    remove_files(folder)
    folder.rmdir()


def _export_files(folder: Path) -> list[Path]:
    return [folder / f"{name}.csv" for name in (*LABELS, *TYPES) if (folder / f"{name}.csv").exists()]


def refuse_foreign(folder: Path) -> None:
    """Raise InterchangeError for a file, and for a folder with other files than those of an export."""
    if folder.exists() and not folder.is_dir():
        raise InterchangeError("interchange.file_csv_writes_folder", folder=folder)
    if folder.is_dir():
        expected = {*(path.name for path in _export_files(folder)), ARGUMENTS}
        foreign = sorted(path.name for path in folder.iterdir() if path.name not in expected)
        if foreign:
            raise InterchangeError("interchange.holds_no_part_export", folder=folder, foreign=foreign[0])


def _line(stream: IO[bytes], cells: Sequence[str]) -> None:
    stream.write((",".join(cells) + "\n").encode())


def _writers(name: str, columns: Mapping[str, str]) -> list[tuple[str, Callable[[Any], str]]]:
    """Return the properties of a label or type, each with the function that writes its values as cells."""
    kinds: dict[str, Callable[[Any], str]] = {"text": _quoted, "number": lambda value: _plain(float(value))}
    return [
        (prop, partial(_list_cell, f"{name}.{prop}", kind) if kind.endswith("[]") else kinds.get(kind, _plain))
        for prop, kind in columns.items()
    ]


def _list_cell(prop: str, kind: str, value: Sequence[Any]) -> str:
    items = [item if isinstance(item, str) else _plain(item) for item in converted(value, kind)]
    if items == [""] or any(_SEPARATOR in item for item in items):
        raise InterchangeError(
            "interchange.list_csv_cannot_hold",
            prop=prop,
            part="one empty text" if items == [""] else "the unit separator U+001F in a text",
        )
    return _quoted(_SEPARATOR.join(items))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return next(text for text, number in _ODD.items() if repr(number) == repr(value))
    return repr(value)


def read(folder: Path) -> Iterator[Node | Edge]:
    """Yield the nodes and relationships of a folder that ``write`` wrote; raise InterchangeError with file and row."""
    if not (folder / ARGUMENTS).is_file():
        raise InterchangeError("interchange.no_not_folder_graph", folder=folder, arguments=ARGUMENTS)
    files = {path.stem: path for path in _export_files(folder)}
    named = re.findall(r"^--(?:nodes|relationships)=(\w+)=", (folder / ARGUMENTS).read_text("utf-8"), re.MULTILINE)
    if missing := [f"{name}.csv" for name in named if name not in files]:
        raise InterchangeError(
            "interchange.file_csv_missing", folder=folder, names=", ".join(missing), arguments=ARGUMENTS
        )
    for name in (*LABELS, *TYPES):
        if name in files:
            yield from _read_file(files[name], name)


def _read_file(path: Path, name: str) -> Iterator[Node | Edge]:
    rows = _rows(path)
    head = [text for text, _ in next(rows, [])]
    keys = _leading_columns(path, name, head)
    columns = []
    for column in head[keys:]:
        match = _PROPERTY.fullmatch(column)
        if match is None:
            raise InterchangeError("interchange.column_none_graph_export", path=path, column=column)
        columns.append((match["name"], _KIND_OF[match["kind"]], bool(match["list"])))
    for number, row in enumerate(rows, 2):
        where = f"{path}, row {number}"
        if len(row) != len(head):
            raise InterchangeError("interchange.expected_columns_found", where=where, n_head=len(head), n_row=len(row))
        props = {}
        for (prop, kind, is_list), (text, quoted) in zip(columns, row[keys:], strict=True):
            if text or quoted:
                props[prop] = _list(text, kind, where) if is_list else _parsed(text, kind, where)
        checked(props, where)
        if keys == 1:
            yield Node(name, row[0][0], props)
        else:
            yield Edge(name, row[0][0], row[1][0], props)


def _leading_columns(path: Path, name: str, head: Sequence[str]) -> int:
    """Return 1 for a file of nodes, 2 for one of relationships."""
    if name in LABELS:
        key = _NODE_KEY.fullmatch(head[0]) if head else None
        if key is not None and (key["name"], key["label"]) == (schema.KEYS[name], name):
            return 1
    elif [(m["end"], m["label"]) for m in map(_END.fullmatch, head[:2]) if m] == list(
        zip(("START", "END"), ends(name), strict=True)
    ):
        return 2
    raise InterchangeError("interchange.header_none_graph_export", path=path, head=",".join(head)[:80], name=name)


def _list(text: str, kind: str, where: str) -> list[Any]:
    return [_parsed(item, kind, where) for item in text.split(_SEPARATOR)] if text else []


def _parsed(text: str, kind: str, where: str) -> Any:
    try:
        if kind == "boolean":
            return {"true": True, "false": False}[text]
        if kind == "integer":
            return int(text)
        if kind == "number":
            return _ODD[text] if text in _ODD else float(text)
    except (ValueError, KeyError) as error:
        raise InterchangeError("interchange.no", where=where, text=text[:40], kind=kind) from error
    return text


_CELL = re.compile(r'(?:"((?:[^"]|"")*)"|([^",\n]*))([,\n])')


def _rows(path: Path) -> Iterator[list[tuple[str, bool]]]:
    """Yield rows of cells as (text, whether it was quoted), to distinguish an empty text from a missing value."""
    lines: list[str] = []
    quotes = 0
    with path.open(encoding="utf-8", newline="\n") as stream:
        for line in stream:
            lines.append(line)
            quotes += line.count('"')
            if quotes % 2 == 0:  # else a text in quotes goes on in the next line
                yield _row(path, "".join(lines))
                lines, quotes = [], 0
    if lines:
        raise InterchangeError("interchange.ends_within_row_file", path=path)


def _row(path: Path, text: str) -> list[tuple[str, bool]]:
    cells: list[tuple[str, bool]] = []
    position = 0
    while position < len(text):
        match = _CELL.match(text, position)
        if match is None:
            raise InterchangeError("interchange.not_csv_graph_export", path=path, text=text[position : position + 60])
        quoted = match[1] is not None
        cells.append((match[1].replace('""', '"') if quoted else match[2], quoted))
        position = match.end()
    return cells
