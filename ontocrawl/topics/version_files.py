"""The versions of a built ontology: what each build wrote, in the folder ``versions`` beside it.

``versions/history.jsonl`` has one line a version, the oldest first; ``versions/VERSION.zip`` the files that the build
wrote. A build compares a file that a person edited with the one of the same version in there, and a rollback restores
it. Files of the same content have the same bytes in the archive.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ontocrawl.errors import CommandError, UsageError
from ontology.files import DAMAGED_ZIP, read_text, write_atomically

FOLDER = "versions"
HISTORY = "history.jsonl"
MARKER = "unfinished.json"
SET_ASIDE = "set-aside"
"""Folder, in that of the versions, of edited files of an unknown version."""
FIRST = "0.1.0"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive: what was written is dated in the history."""


class VersionError(UsageError, ValueError):
    """A folder without the version that was asked for, or with a damaged history; the message says what to do."""


@dataclass(frozen=True)
class Version:
    """One version of an ontology.

    Attributes:
        version: its version, a number and the digest of its input.
        when: date and time of the build, ISO 8601.
        prior: the version before; empty for the first.
        documents: number of documents that it was learned from.
        corpus: names of their files.
        classes: number of classes of the global ontology.
        decisions: ids of the decisions in force.
        added: ids of those that came since the version before.
        edited: names of the files in which a person had edited the version before.
        idle: id of each decision that did not apply -> the reason.
        conflicts: id of each decision that something contradicts, or an edited file -> what.
        unkept: changes that were made by hand and are not kept.
        changes: kind of difference to the version before -> number.
        rollback: whether it was restored.
        origin: the version of the package, or of the workspace, that decisions were applied to; empty for a build.
        base: the build to whose ontologies decisions were applied without learning; empty for a build.
        until: of a rollback, the last id in each file of decisions.
    """

    version: str
    when: str
    prior: str = ""
    documents: int = 0
    corpus: tuple[str, ...] = ()
    classes: int = 0
    decisions: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    idle: Mapping[str, str] = field(default_factory=dict)
    conflicts: Mapping[str, str] = field(default_factory=dict)
    unkept: tuple[str, ...] = ()
    changes: Mapping[str, int] = field(default_factory=dict)
    rollback: bool = False
    origin: str = ""
    base: str = ""
    until: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """The version without the digest."""
        return self.version.partition("+")[0]


class Versions:
    """The versions of an ontology.

    Args:
        folder: the folder of its files; it need not exist.
        records: the folder that has its decisions, and its versions in a subfolder; by default the same.
    """

    def __init__(self, folder: Path, records: Path | None = None) -> None:
        self.folder = folder
        self.path = (records or folder) / FOLDER

    @property
    def marker(self) -> Path:
        """File that is there while a version is put in place (`ontology.file_sets`)."""
        return self.path / MARKER

    def all(self) -> tuple[Version, ...]:
        """Return the versions, the oldest first. Raises VersionError for a damaged history."""
        file = self.path / HISTORY
        if not file.exists():
            return ()
        known = {f.name for f in fields(Version)}
        versions = []
        for number, line in enumerate(read_text(file, VersionError).splitlines(), 1):
            try:
                row = json.loads(line)
                values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
                versions.append(Version(**{k: v for k, v in values.items() if k in known}))
            except (ValueError, TypeError, AttributeError) as error:
                raise VersionError("topics.version_json", file=file, number=number, error=error) from error
        return tuple(versions)

    @property
    def latest(self) -> Version | None:
        """The version that the files in the folder are of; None before the first build."""
        return next(iter(reversed(self.all())), None)

    def prepare(self, version: str, texts: Mapping[str, str]) -> None:
        """Keep what later edits are compared with, before any file of a version is written.

        Args:
            version: the version.
            texts: name of a file -> its content.

        Raises:
            CommandError: the folder cannot be written.
        """
        if not zipfile.is_zipfile(self._archive(version)):
            self._write(version, {name: text.encode() for name, text in texts.items()})

    def _write(self, version: str, files: Mapping[str, bytes]) -> Path:
        archive = self._archive(version)
        try:
            write_atomically(archive, _zipped(files))
        except OSError as error:
            raise CommandError("topics.version_unwritten", path=self.path, strerror=error.strerror) from error
        return archive

    def add(self, version: Version, files: Sequence[Path]) -> Path:
        """Keep the files of a version, and enter it into the history.

        Args:
            version: the version.
            files: the files that the build wrote, all in the folder.

        Returns:
            The archive.
        """
        archive = self._write(version.version, {path.name: path.read_bytes() for path in files})
        self.enter(version)
        return archive

    def enter(self, version: Version) -> None:
        """Add a line to the history."""
        write_atomically(self.path / HISTORY, self._lines(version))

    def _lines(self, version: Version) -> bytes:
        lines = [*self.all(), version]
        return "".join(json.dumps(_plain(v), ensure_ascii=False) + "\n" for v in lines).encode()

    def records(self, version: Version, files: Mapping[str, bytes] | None = None) -> dict[Path, bytes]:
        """Return path -> content of the records of a version: the history with its line, and its archive.

        Args:
            version: the version.
            files: name -> content of its files; None for a version whose archive is there.
        """
        archive = {} if files is None else {self._archive(version.version): _zipped(files)}
        return archive | {self.path / HISTORY: self._lines(version)}

    def origin_records(self, version: str, files: Mapping[str, bytes]) -> dict[Path, bytes]:
        """Return path -> content of the archive of a version from before the first one here; empty if it is there.

        Args:
            version: the version.
            files: name -> content of its files.
        """
        return {} if zipfile.is_zipfile(self._archive(version)) else {self._archive(version): _zipped(files)}

    def files(self, version: str) -> dict[str, bytes]:
        """Return name -> content of the files of a version.

        Raises:
            VersionError: there is no such version, or more than one.
        """
        return self.kept(self.find(version).version)

    def kept(self, version: str) -> dict[str, bytes]:
        """Return name -> content of the files of a version, given whole; empty if there is no archive of it.

        Raises:
            VersionError: the archive is damaged.
        """
        archive = self._archive(version)
        return unzipped(archive) if archive.is_file() else {}

    def names(self, version: str) -> frozenset[str]:
        """Return the names of the files of a version; empty if its archive is missing or damaged. No file is read."""
        archive = self._archive(version)
        if not zipfile.is_zipfile(archive):
            return frozenset()
        with zipfile.ZipFile(archive) as kept:
            return frozenset(kept.namelist())

    def text(self, version: str, name: str) -> str | None:
        """Return a file of a version; None if there is no such version, or no such file in it."""
        if name not in self.names(version):
            return None
        with zipfile.ZipFile(self._archive(version)) as kept:
            return kept.read(name).decode("utf-8")

    def find(self, version: str) -> Version:
        """Return the latest entry of a version.

        Args:
            version: the whole version, or its number without the digest.

        Raises:
            VersionError: there is no such version with its files, or the number is that of several.
        """
        history = self.all()
        origin = [Version(v.prior, "", decisions=()) for v in history[:1] if v.prior]
        every = {v.version: v for v in (*origin, *history) if zipfile.is_zipfile(self._archive(v.version))}
        found = [v for name, v in every.items() if version in (name, v.number)]
        if len(found) != 1:
            code = "topics.version_several" if found else "topics.version_none"
            raise VersionError(code, folder=self.folder, version=version, every=", ".join(every) or "(none)")
        return found[0]

    def set_aside(self, path: Path) -> Path:
        """Copy a file to where no build overwrites it, and return the copy."""
        data = path.read_bytes()
        name = f"{path.stem}-{blake2b(data, digest_size=4).hexdigest()}{path.suffix}"
        copy = self.path / SET_ASIDE / name
        write_atomically(copy, data)
        return copy

    def next_number(self, after: str = "") -> str:
        """Return the number of the version to come: the next minor one.

        Args:
            after: a version from before the first one here.
        """
        numbers = [_number(version) for version in (*(v.version for v in self.all()), after) if version]
        if not numbers:
            return FIRST
        major, minor, _ = max(numbers)
        return f"{major}.{minor + 1}.0"

    def _archive(self, version: str) -> Path:
        return self.path / f"{version}.zip"


def unzipped(archive: Path) -> dict[str, bytes]:
    """Return name -> content of the files of a version's archive. Raises VersionError for a damaged one."""
    try:
        with zipfile.ZipFile(archive) as kept:
            return {name: kept.read(name) for name in kept.namelist()}
    except (*DAMAGED_ZIP, OSError) as error:
        raise VersionError("topics.damaged_bring_back_backup", archive=archive, error=error) from error


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as an archive; the same files are the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as kept:
        for name, content in sorted(files.items()):
            kept.writestr(zipfile.ZipInfo(name, _LONG_AGO), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _plain(version: Version) -> dict[str, Any]:
    """Return a version as JSON values, without what is empty."""
    return {k: v for k, v in asdict(version).items() if v or k in ("documents", "classes")}


def _number(version: str) -> tuple[int, int, int]:
    """Return the number of a version; one that a person chose in another form counts as 0.0.0.

    >>> _number("0.2.0+5f0c"), _number("2026-spring")
    ((0, 2, 0), (0, 0, 0))
    """
    parts = version.partition("+")[0].split(".")
    if len(parts) != 3 or not all(part.isdecimal() for part in parts):
        return 0, 0, 0
    major, minor, patch = map(int, parts)
    return major, minor, patch
