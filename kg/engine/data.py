"""Integrity check of the embedded engine's data before each start.

The engine itself opens a database whose files are truncated or missing as an empty one, without an error. So the
supervisor records the files and their sizes after each orderly end of the engine, and compares them before the next
start. After a crash the files may have grown and new ones may exist, so then only loss is damage: a file that is
missing or shorter, a schema that does not parse, or a bucket that the schema names and the folder lacks.
"""

from __future__ import annotations

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


def check(folder: EngineFolder, database: str) -> None:
    """Compare the data with what the last run of the engine left.

    Args:
        folder: the data folder.
        database: name of the database.

    Raises:
        DamagedGraphError: they differ; the message says where.
    """
    noted = _noted(folder)
    if noted is None:
        return
    place = folder.data / "databases" / database
    wrong = _damage(place, noted)
    if wrong is not None:
        raise DamagedGraphError(f"the graph in {folder.root} is damaged ({wrong}): {REBUILD}")


def note_running(folder: EngineFolder) -> None:
    """Record that from now on the files may change at any time; the inventory is kept."""
    noted = _noted(folder) or {"files": {}}
    write_private(folder.inventory, json.dumps({**noted, "orderly": False}))


def note_end(folder: EngineFolder, database: str) -> None:
    """Record the files after an orderly end.

    Args:
        folder: the data folder.
        database: name of the database.
    """
    files = _files(folder.data / "databases" / database)
    write_private(folder.inventory, json.dumps({"files": files, "orderly": True}))


def _noted(folder: EngineFolder) -> dict[str, Any] | None:
    """Return the inventory; None in a folder whose engine was never ready."""
    try:
        noted = json.loads(folder.inventory.read_text(encoding="utf-8"))
        if isinstance(noted["files"], dict) and isinstance(noted["orderly"], bool):
            return {"files": noted["files"], "orderly": noted["orderly"]}
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        pass
    raise DamagedGraphError(
        f"the graph in {folder.root} is damaged ({folder.inventory.name} cannot be read): {REBUILD}"
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


def _files(place: Path) -> dict[str, int]:
    return {
        path.name: path.stat().st_size
        for path in sorted(place.iterdir())
        if path.is_file() and path.suffix not in _ALWAYS_NEW and not path.name.startswith(".")
    }
