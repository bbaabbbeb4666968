"""Backup of the embedded engine's database while it is in use, and the way back into an empty folder.

The engine's own command writes a ZIP file of the database as of one committed transaction; other connections go on
meanwhile. It writes only below the engine's folder, from where the file is moved.
"""

from __future__ import annotations

import json
import secrets
import shutil
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kg.engine import data as engine_data
from kg.engine import embedded
from kg.engine import java as engine_java
from kg.engine.files import FORMAT, EngineFolder, is_newer, write_private
from kg.store import StoreError
from ontology.files import DAMAGED_ZIP

SECONDS = 3_600.0
"""Time limit of a backup."""
_CHUNK = 1 << 20
_NAME = 255
"""Largest number of bytes of a file's name."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What wrote a database."""

    layout: int
    """Version of the layout of the data folder."""
    version: str
    """Version of the engine."""
    unpacked: int = 0
    """Number of bytes of the database's files; 0 where it is not known."""
    files: int = 0
    """Number of these files."""


def write(directory: Path, target: Path) -> Origin:
    """Write the database of a data folder to a ZIP file; the engine is started if it does not run.

    Args:
        directory: the data folder.
        target: the file to write.

    Returns:
        What wrote the database.

    Raises:
        StoreError: the engine cannot be started, refuses, or takes too long; nothing is written.
    """
    folder = EngineFolder(directory.resolve())
    name = f"ontocrawl-{secrets.token_hex(8)}.zip"
    written = folder.data / "backups" / engine_java.DATABASE / name
    with embedded.attach(directory) as connection:
        try:
            engine_java.backup_database(connection.state, name, SECONDS)
            shutil.move(written, target)
        except OSError as error:
            raise StoreError(
                "engine.backup_graph_cannot_written", directory=directory, strerror=error.strerror
            ) from error
        finally:
            written.unlink(missing_ok=True)
        return replace(_sizes(target), layout=FORMAT, version=connection.state.version)


def _sizes(packed: Path) -> Origin:
    with zipfile.ZipFile(packed) as archive:
        infos = archive.infolist()
    return Origin(0, "", sum(info.file_size for info in infos), len(infos))


def is_of_newer_engine(origin: Origin) -> bool:
    """Return whether a newer engine than the installed one wrote a database; False where none is installed."""
    return embedded.installed() and is_newer(origin.layout, origin.version, engine_java.package_version())


def restore(source: Path, directory: Path, origin: Origin) -> None:
    """Make a data folder of a file that `write` wrote. The engine need not be installed.

    Args:
        source: the file.
        directory: the data folder, which does not exist.
        origin: what wrote the database.

    Raises:
        StoreError: the file is damaged, its names are not those of a database's files, or it has more or larger files
            than `write` saw, or than the disk has room for.
        OSError: the folder cannot be written.
    """
    folder = EngineFolder(directory.resolve())
    place = folder.data / "databases" / engine_java.DATABASE
    place.mkdir(parents=True)
    most = origin.unpacked or shutil.disk_usage(place).free
    try:
        with zipfile.ZipFile(source) as archive:
            infos = archive.infolist()
            _require_expected(source, infos, origin)
            for info in infos:
                with archive.open(info) as packed, (place / info.filename).open("xb") as file:
                    while chunk := packed.read(_CHUNK):
                        most -= len(chunk)
                        if most < 0:
                            raise StoreError("engine.unpacks_more_than_saved", source=source.name)
                        file.write(chunk)
    except DAMAGED_ZIP as error:
        raise StoreError("engine.damaged", source=source.name, error=error) from error
    about = {"format": origin.layout, "engine": "arcadedb-embedded", "version": origin.version}
    write_private(folder.marker, json.dumps(about))
    engine_data.note_end(folder, engine_java.DATABASE)


def _require_expected(source: Path, infos: Sequence[zipfile.ZipInfo], origin: Origin) -> None:
    """Raise StoreError for other files than those of a database."""
    names = [info.filename for info in infos]
    for name in names:
        if name in ("", ".", "..") or set(name) & set("/\\:\0") or len(name.encode()) > _NAME:
            raise StoreError("engine.file_none_database", source=source.name, name=name)
    if len(set(names)) < len(names) or (origin.files and len(names) != origin.files):
        raise StoreError("engine.files_not_those_saved", source=source.name, n_names=len(names))
