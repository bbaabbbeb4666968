"""Formal contexts in files: Burmeister .cxt, .csv cross tables, .json, FIMI .dat; more to read (`READ`, .parquet).

`read` and `write` choose the format by the suffix; `read` unpacks .gz and .xz (`mushroom.cxt.xz`). All text is UTF-8
(a byte order mark is skipped). An invalid file raises `ontology.context.ContextError` with the file and the line.
Writing is atomic. Every format reads back the context that was written; what a format can't express (names in .dat,
line breaks in .cxt) is refused, not dropped.

Each module has `parse(text, file)`, which returns the context of a text and names the file in its errors.
"""

from __future__ import annotations

import gzip
import lzma
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from ontology.context import ContextError, FormalContext
from ontology.corpus.delimited import MARKS
from ontology.files import write_atomically
from ontology.formats import cex, cxt, dat, incidences, jsonfmt, table

BY_SUFFIX: dict[str, ModuleType] = {".cxt": cxt, ".csv": table, ".json": jsonfmt, ".dat": dat}
READ: dict[str, ModuleType] = {**BY_SUFFIX, ".ctx": cxt, ".tsv": table, ".tab": table, ".cex": cex}
"""Formats to read by suffix; a file with another suffix is read by what it begins with."""
PARQUET = ".parquet"
PACKED: dict[str, Callable[..., IO[Any]]] = {".gz": gzip.open, ".xz": lzma.open}
MOST_BYTES = 1 << 30
"""Largest size of an unpacked file."""


def read(path: str | Path, say: Callable[[str], None] | None = None) -> FormalContext:
    """Read the formal context in a file.

    Args:
        path: the file.
        say: receives what was inferred about a table: its separator, and which names it lacks.

    Raises:
        MissingExtra: a .parquet file, and pyarrow is not installed.
        ContextError: unknown suffix, not UTF-8, or not a valid context (names the file and the line).
        OSError: the file can't be opened.
    """
    path = Path(path)
    if path.suffix.lower() == PARQUET:
        return incidences.read(path)
    packed = path.suffix.lower() in PACKED
    named = path.with_suffix("") if packed else path
    known = READ.get(named.suffix.lower())
    if known is None and not named.suffix:
        _format(named)
    try:
        text = (_unpacked(path) if packed else path.read_bytes()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ContextError(
            "formats.line_expected_utf_text", path=path, line=line, object=error.object[error.start]
        ) from error
    form = known or _by_content(text) or _format(named)
    context: FormalContext = form.parse(text, str(path))
    if say is not None and form is table:
        say(f"{path}: {table.described(text, str(path))}")
    return context


def _by_content(text: str) -> ModuleType | None:
    """Return the format that a text begins as, None for none."""
    if re.match(r"B\s*\n", text):
        return cxt
    if text.lstrip()[:1] in ("<", "{"):
        return cex if text.lstrip()[0] == "<" else jsonfmt
    first = text.partition("\n")[0]
    return table if any(mark in first for mark in MARKS) else None


def _unpacked(path: Path) -> bytes:
    with path.open("rb"):  # a file that isn't there or can't be opened is an OSError that says so
        pass
    try:
        with PACKED[path.suffix.lower()](path) as stream:
            data: bytes = stream.read(MOST_BYTES + 1)
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise ContextError(
            "formats.expected_whole_archive_truncated", path=path, suffix=path.suffix, error=error
        ) from error
    if len(data) > MOST_BYTES:
        raise ContextError("formats.unpacks_more_than_bytes", path=path, most_bytes=MOST_BYTES)
    return data


def write(context: FormalContext, path: str | Path) -> None:
    """Write a formal context to a file, atomically.

    Args:
        context: the formal context.
        path: the file; its suffix is the format. Missing folders are made.

    Raises:
        ContextError: unknown suffix, or the format can't express a name of this context.
        OSError: the file can't be written; nothing of it is left.
    """
    path = Path(path)
    text: str = _format(path).render(context)
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        around = text[max(0, error.start - 10) : error.start + 10]
        raise ContextError("formats.name_half_character_lone", path=path, around=around) from error
    write_atomically(path, data)


def _format(path: Path) -> ModuleType:
    form = BY_SUFFIX.get(path.suffix.lower())
    if form is None:
        raise ContextError("formats.expected_context_file_ending", path=path, read=", ".join(READ), suffix=path.suffix)
    return form
