"""Incidences as .parquet: two columns of text, the object and the attribute of each pair. It is read only.

`ontocrawl archive terms` writes the context of a web archive in this form. Reading needs the extra ``archive``.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ontology.context import ContextError, FormalContext
from ontology.extras import require


def read(path: Path) -> FormalContext:
    """Read the context in a file.

    Args:
        path: the file; its columns may have any names.

    Raises:
        ContextError: not a Parquet file, other columns, a missing value, or not a valid context.
        MissingExtra: pyarrow is not installed.
        OSError: the file can't be opened.
    """
    pa = require("pyarrow", "archive", f"reading {path.name}")
    parquet = require("pyarrow.parquet", "archive", f"reading {path.name}")
    try:
        with path.open("rb") as stream:
            table = parquet.read_table(stream)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise ContextError("formats.expected_parquet_file", path=path, splitlines=str(error).splitlines()[0]) from error
    fields = [f"{field.name} ({field.type})" for field in table.schema]
    if len(fields) != 2 or not all(str(field.type) in ("string", "large_string") for field in table.schema):
        raise ContextError("formats.expected_two_columns_text", path=path, fields=", ".join(fields) or "none")
    if any(column.null_count for column in table.columns):
        raise ContextError("formats.pair_no_object_no", path=path)
    objects, attributes = (column.combine_chunks().dictionary_encode() for column in table.columns)
    cells = np.zeros((len(objects.dictionary), len(attributes.dictionary)), dtype=np.bool_)
    cells[objects.indices.to_numpy(), attributes.indices.to_numpy()] = True
    try:
        return FormalContext.from_bools(objects.dictionary.to_pylist(), attributes.dictionary.to_pylist(), cells)
    except ContextError as error:
        raise ContextError("files.about", about=path, error=error) from error
