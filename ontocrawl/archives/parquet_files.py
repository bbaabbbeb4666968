"""The files of the tables, read so that a damaged one is an error that names it and says what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ontocrawl.errors import UsageError


def batches(path: Path, columns: Sequence[str], size: int = 65_536) -> Iterator[pa.RecordBatch]:
    """Yield some columns of a file, in the order of ``columns``, in batches of at most ``size`` rows.

    Raises:
        UsageError: the file is missing or damaged, or has other columns.
    """
    try:
        with pq.ParquetFile(path) as file:
            found = file.iter_batches(size, columns=list(columns)) if file.num_row_groups else ()
            for batch in found:  # older versions of pyarrow refuse a file without rows
                yield batch.select(list(columns))
    except (pa.ArrowInvalid, KeyError, OSError) as error:
        raise damaged(path, error) from error


def number_of_rows(path: Path) -> int:
    """Return the number of rows of a file. Raises UsageError for a damaged one."""
    try:
        return int(pq.read_metadata(path).num_rows)
    except (pa.ArrowInvalid, OSError) as error:
        raise damaged(path, error) from error


def damaged(path: Path, reason: object) -> UsageError:
    """Return the error for a file of the tables, or a table, that cannot be read or is not whole."""
    said = (str(reason).strip("'\"").splitlines() or ["no reason"])[0].rstrip(".")
    return UsageError(
        f"{path} cannot be read ({said}): remove the folder of the tables, and make them again by "
        "`ontocrawl archive score`"
    )
