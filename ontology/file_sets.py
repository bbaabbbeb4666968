"""Several files written as one: after a crash at any point all of them are as before, or all are new.

The new contents are written beside the files first. Then a marker lists them, which is the moment from which they
count, and each is put in place by a rename, which needs no room on the disk. Whoever finds the marker puts the rest in
place (`complete`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ontology.files import write_atomically

_PART = ".part"
"""End of the name of a new content that is not in place yet; the name begins with a dot."""


def write_together(files: Mapping[Path, bytes | None], marker: Path) -> None:
    """Write files so that either all or none of them are new, whatever happens meanwhile.

    Only one process may write under one marker at a time.

    Args:
        files: path -> content, or None to remove the file; missing folders are made.
        marker: file that exists while the new contents are put in place. What else its folder has belongs to the same
            files.

    Raises:
        OSError: no permission, full disk and so on; all files are as before.
    """
    complete(marker)
    parts = {path: path.with_name(f".{path.name}{_PART}") for path, content in files.items() if content is not None}
    try:
        _remove_leftovers(marker.parent)
        for path, content in files.items():
            if content is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                _write(parts[path], content)
        pairs = [[_from(marker, parts[path]) if path in parts else "", _from(marker, path)] for path in files]
        write_atomically(marker, json.dumps(pairs).encode())
    except BaseException:
        if not marker.exists():
            for part in parts.values():
                with suppress(OSError):
                    part.unlink()
        raise
    complete(marker)


def complete(marker: Path) -> bool:
    """Put in place what an interrupted `write_together` had written, if it had come to its marker.

    Args:
        marker: its marker.

    Returns:
        Whether there was one.

    Raises:
        OSError: a file cannot be put in place.
    """
    try:
        pairs = json.loads(marker.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return False
    for part, path in pairs:
        if not part:
            (marker.parent / path).unlink(missing_ok=True)
            continue
        with suppress(FileNotFoundError):  # it is in place
            (marker.parent / part).replace(marker.parent / path)
    marker.unlink(missing_ok=True)
    return True


def _from(marker: Path, path: Path) -> str:
    return os.path.relpath(path, marker.parent)


def _write(part: Path, content: bytes) -> None:
    with part.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _remove_leftovers(folder: Path) -> None:
    """Remove what a process left that was killed before its marker."""
    for leftover in folder.glob(f".*{_PART}"):
        with suppress(OSError):
            leftover.unlink()
