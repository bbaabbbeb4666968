"""Backup of the embedded engine's database while it is in use, and the way back into an empty folder.

The engine's own command writes a ZIP file of the database as of one committed transaction; other connections go on
meanwhile. It writes only below the engine's folder, from where the file is moved.
"""

from __future__ import annotations

import json
import secrets
import shutil
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from kg.engine import data as engine_data
from kg.engine import embedded
from kg.engine import java as engine_java
from kg.engine.files import FORMAT, EngineFolder, is_newer, write_private
from kg.store import StoreError

SECONDS = 3_600.0
"""Time limit of a backup."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What wrote a database."""

    layout: int
    """Version of the layout of the data folder."""
    version: str
    """Version of the engine."""


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
                f"the backup of the graph in {directory} cannot be written ({error.strerror}): free some space"
            ) from error
        finally:
            written.unlink(missing_ok=True)
        return Origin(FORMAT, connection.state.version)


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
        StoreError: the file is damaged, or its names are not those of a database's files.
    """
    folder = EngineFolder(directory.resolve())
    place = folder.data / "databases" / engine_java.DATABASE
    place.mkdir(parents=True)
    try:
        with zipfile.ZipFile(source) as archive:
            for name in archive.namelist():
                if name in ("", ".", "..") or set(name) & set("/\\:\0"):
                    raise StoreError(f"{source.name} has a file {name!r}, which is none of a database")
                with archive.open(name) as packed, (place / name).open("wb") as file:
                    shutil.copyfileobj(packed, file)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise StoreError(f"{source.name} is damaged ({error})") from error
    about = {"format": origin.layout, "engine": "arcadedb-embedded", "version": origin.version}
    write_private(folder.marker, json.dumps(about))
    engine_data.note_end(folder, engine_java.DATABASE)
