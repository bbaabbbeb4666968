"""Integrity check of the embedded engine's data before each start.

The engine itself opens a database whose files are truncated or missing as an empty one, without an error, and one
whose files were overwritten until a query meets the place. So the supervisor records the files with their sizes,
times and digests after each orderly end of the engine, and compares them before the next start: the content of a file
only if its time changed, and of all files in a thorough check. After a crash the files may have grown and new ones may
exist, so then only loss is damage: a file that is missing or shorter, a schema that does not parse, or a bucket that
the schema names and the folder lacks.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from kg.engine.files import REBUILD, EngineFolder, write_private
from kg.store import StoreError

_RECORDS = frozenset({".bucket", ".dict"})
"""Files of records; they only ever grow."""
_ALWAYS_NEW = frozenset({".json", ".bin", ".wal", ".lck"})


class DamagedGraphError(StoreError):
    """The data differs from what the last run of the engine left."""


def check(folder: EngineFolder, database: str, *, thorough: bool = False) -> bool:
    """Compare the data with what the last run of the engine left.

    Args:
        folder: the data folder.
        database: name of the database.
        thorough: compare the content of all files, about a second for each GB; else of those whose time changed.

    Returns:
        Whether contents could be compared: not after a disorderly end, nor with an inventory of an older version.

    Raises:
        DamagedGraphError: they differ; the message says where.
    """
    noted = _noted(folder)
    if noted is None:
        return False
    place = folder.data / "databases" / database
    comparable = noted["orderly"] and bool(noted["contents"])
    wrong = _damage(place, noted) or (_overwritten(place, noted["contents"], thorough) if comparable else None)
    if wrong is not None:
        raise DamagedGraphError("engine.graph_damaged", root=folder.root, wrong=wrong, rebuild=REBUILD)
    return comparable


def note_running(folder: EngineFolder) -> None:
    """Record that from now on the files may change at any time; the inventory is kept."""
    noted = _noted(folder) or {"files": {}, "contents": {}}
    write_private(folder.inventory, json.dumps({**noted, "orderly": False}))


def note_end(folder: EngineFolder, database: str) -> None:
    """Record the files after an orderly end. Only files that were written since the last one are read.

    Args:
        folder: the data folder.
        database: name of the database.
    """
    place = folder.data / "databases" / database
    try:
        before = (_noted(folder) or {"contents": {}})["contents"]
    except DamagedGraphError:  # an inventory that cannot be read: all files are
        before = {}
    contents = {}
    for path in _all_files(place):
        size_and_time = _size_and_time(path)
        known = before.get(path.name)
        unchanged = known is not None and known[:2] == size_and_time
        contents[path.name] = known if unchanged else [*size_and_time, _digest(path)]
    write_private(folder.inventory, json.dumps({"files": _files(place), "contents": contents, "orderly": True}))


def _noted(folder: EngineFolder) -> dict[str, Any] | None:
    """Return the inventory; None in a folder whose engine was never ready."""
    try:
        noted = json.loads(folder.inventory.read_text(encoding="utf-8"))
        if isinstance(noted["files"], dict) and isinstance(noted["orderly"], bool):
            return {"files": noted["files"], "orderly": noted["orderly"], "contents": dict(noted.get("contents", {}))}
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        pass
    raise DamagedGraphError(
        "engine.graph_damaged_cannot_read", root=folder.root, inventory=folder.inventory.name, rebuild=REBUILD
    )


def _damage(place: Path, noted: dict[str, Any]) -> str | None:
    if not place.is_dir():
        return f"the folder {place} is gone"
    there = _files(place)
    for name, size in noted["files"].items():
        if noted["orderly"] and there.get(name) != size:
            return f"{name} has {there.get(name, 'no')} bytes instead of {size}"
        if Path(name).suffix in _RECORDS and there.get(name, -1) < size:
            return f"{name} has {there.get(name, 'no')} bytes and had {size}"
    try:
        types = json.loads((place / "schema.json").read_text(encoding="utf-8"))["types"]
        buckets = [bucket for kind in types.values() for bucket in kind["buckets"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"schema.json cannot be read: {error}"
    have = {name.partition(".")[0] for name in there if name.endswith(".bucket")}
    lost = sorted(set(buckets) - have)
    return f"the files of {lost[0]} are gone" if lost else None


def _overwritten(place: Path, contents: dict[str, Any], thorough: bool) -> str | None:
    """Return which file has another content than at the last end of the engine.

    Args:
        place: folder of the database.
        contents: file name -> [size, time in ns, digest].
        thorough: read all files, not only those whose time changed.
    """
    for name, (size, changed, digest) in sorted(contents.items()):
        path = place / name
        if not path.is_file():
            return f"{name} is gone"
        if (thorough or _size_and_time(path) != [size, changed]) and _digest(path) != digest:
            return f"the content of {name} is not what the engine wrote"
    return None


def _size_and_time(path: Path) -> list[int]:
    known = path.stat()
    return [known.st_size, known.st_mtime_ns]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _all_files(place: Path) -> list[Path]:
    return [path for path in sorted(place.iterdir()) if path.is_file() and path.suffix != ".lck"]


def _files(place: Path) -> dict[str, int]:
    return {
        path.name: path.stat().st_size
        for path in sorted(place.iterdir())
        if path.is_file() and path.suffix not in _ALWAYS_NEW and not path.name.startswith(".")
    }
