"""Where the ontologies of a topic are: their files, decisions and versions, under a lock, written all or none."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kg.engine.files import FileLock
from kg.store import StoreError
from ontocrawl.errors import CommandError
from ontocrawl.versions import Versions
from ontology import file_sets
from ontology.decisions import table
from ontology.files import write_atomically

REGISTER = "iris.tsv"
"""File with the IRI of each label, so that the next version keeps the IRIs."""
LOCK, PID = "lock", "lock.pid"


@dataclass(frozen=True)
class Place:
    """Where the ontologies of a topic are.

    Attributes:
        topic: name of the topic, with which the names of the files begin.
        folder: folder of the files.
        records: folder of the decisions, the register of IRIs and the versions; that of the files, or in a workspace
            ``ontologies/TOPIC``.
    """

    topic: str
    folder: Path
    records: Path

    @property
    def store(self) -> Versions:
        """The versions."""
        return Versions(self.folder, self.records)

    @property
    def decisions(self) -> Path:
        """File of the decisions."""
        return self.records / table.FILE

    @property
    def register(self) -> Path:
        """File of the IRIs."""
        return self.records / REGISTER

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from changing the ontologies; what an interrupted one left is put in place first.

        The lock is that of the system: it is free when the process that had it has ended, however it ended.

        Raises:
            CommandError: another process changes them; the message has its number.
        """
        path = self.store.path
        lock = FileLock(path / LOCK)
        try:
            path.mkdir(parents=True, exist_ok=True)
            acquired = lock.try_acquire()
        except (OSError, StoreError) as error:
            raise unwritable(path, error) from error
        if not acquired:
            raise CommandError(
                f"the ontologies of {self.topic} in {self.folder} are being changed by another process{_pid(path)}: "
                "wait until it has ended, then run the command again"
            )
        try:
            write_atomically(path / PID, f"{os.getpid()}\n".encode())
            file_sets.complete(self.store.marker)
            yield
        finally:
            lock.release()


def unwritable(folder: Path, error: OSError | StoreError) -> CommandError:
    """Return the error for a folder of versions that cannot be written."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return CommandError(
        f"{folder} cannot be written ({reason}), where each version is kept, and no other file was: let it be "
        "writable, or build into another folder"
    )


def _pid(folder: Path) -> str:
    try:
        return f" ({(folder / PID).read_text(encoding='ascii').strip()})"
    except OSError:
        return ""


def write_files(place: Place, files: Mapping[Path, bytes | None]) -> None:
    """Write files of a place, all or none of them.

    Args:
        place: where the ontologies are; it must be locked.
        files: path -> content, or None to remove the file.

    Raises:
        CommandError: a file cannot be written; all are as before.
    """
    try:
        file_sets.write_together(files, place.store.marker)
    except OSError as error:
        raise CommandError(
            f"{place.folder} cannot be written ({error.strerror}), and all its files are as before: make room on the "
            "disk, or let the folder be writable, and run the command again"
        ) from error
