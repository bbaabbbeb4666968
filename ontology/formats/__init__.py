"""Formal contexts in files: Burmeister .cxt, .csv cross tables, .json, FIMI .dat.

`read` and `write` choose the format by the suffix. All text is UTF-8 (a byte order mark is skipped). A file that can't
be read as its format says raises `ontology.context.ContextError` with the file and the line. Writing is whole or not
at all: a temporary file beside the target is renamed. Every format gives back the context that was written; what a
format can't express (names in .dat, line breaks in .cxt) is refused, not dropped.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import ModuleType

from ontology.context import ContextError, FormalContext
from ontology.formats import cxt, dat, jsonfmt, table

BY_SUFFIX: dict[str, ModuleType] = {".cxt": cxt, ".csv": table, ".json": jsonfmt, ".dat": dat}


def read(path: str | Path) -> FormalContext:
    """The formal context in a file.

    Raises:
        ContextError: unknown suffix, not UTF-8, malformed, or a context that is none (names the file and the line).
        OSError: the file can't be opened.
    """
    path = Path(path)
    form = _format(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ContextError(f"{path}, line {line}: expected UTF-8 text, found byte {error.object[error.start]:#04x}; "
                           "convert the file to UTF-8") from error  # fmt: skip
    context: FormalContext = form.parse(text, str(path))
    return context


def write(context: FormalContext, path: str | Path) -> None:
    """Write a formal context to a file, replacing it as a whole.

    Raises:
        ContextError: unknown suffix, or the format can't express a name of this context.
        OSError: the file can't be written; then nothing of it is left.
    """
    path = Path(path)
    data: bytes = _format(path).render(context).encode("utf-8")
    handle, temporary = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _format(path: Path) -> ModuleType:
    form = BY_SUFFIX.get(path.suffix.lower())
    if form is None:
        raise ContextError(f"{path}: expected a context file ending in {', '.join(BY_SUFFIX)}, found {path.suffix!r}")
    return form
