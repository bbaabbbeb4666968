"""The manifest of a backup: what the file holds, by which versions, with the digest of each member.

A backup is a ZIP file. Its member ``manifest.json`` is written last; a file without it is not whole.
"""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Literal

from pydantic import Field

from ontocrawl.base.config import checked
from ontocrawl.base.options import Section
from ontocrawl.base.workspace import JOURNAL
from ontocrawl.errors import CommandError
from ontology.printable import one_line

FORMAT = 2
"""Version of the format of backups. Restoring reads this and all earlier ones. 2: sizes of the packed graph."""
NAME = "manifest.json"
PART = ".restoring"
"""Folder in the new workspace for what is not in place yet; one that a killed command left is removed."""
ENGINE, EXPORT = "graph/engine.zip", "graph.cypher"
"""Members with the graph."""
_NAME = 255
"""Largest number of bytes of a file's or folder's name."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MOST = 1 << 28
"""Largest manifest that is read, in bytes."""


class Member(Section):
    """A file of a backup."""

    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class JournalPart(Section):
    """The journal of a run."""

    version: int = Field(ge=1)
    """Version of its tables."""
    events: int = Field(ge=0)
    """Number of its last event."""
    crawled: bool = False
    """Whether a process was crawling the run."""


class GraphPart(Section):
    """The graph of a workspace: the database of the embedded engine, or an export of a server's graph."""

    kind: Literal["engine", "export"]
    member: str
    layout: int = 0
    """Version of the layout of the embedded engine's folder."""
    version: str = ""
    """Version of the embedded engine."""
    unpacked: int = Field(default=0, ge=0)
    """Number of bytes of the files that are packed in the member; 0 in a backup of format 1."""
    files: int = Field(default=0, ge=0)
    """Number of these files."""


class Manifest(Section):
    """The content of ``manifest.json``."""

    format: int
    ontocrawl: str
    """Version of the program that made the backup."""
    made: str
    """ISO 8601, UTC."""
    workspace: str
    """Absolute path of the workspace: runs name other files of it by their whole path."""
    journals: dict[str, JournalPart]
    graph: GraphPart | None
    members: dict[str, Member]


def read(archive: zipfile.ZipFile, path: Path) -> Manifest:
    """Read and check the manifest of a backup.

    Args:
        archive: the opened file.
        path: the file, for messages.

    Returns:
        The manifest; its members are those of the file, and their names are safe.

    Raises:
        CommandError: the file is no backup, a newer version made it, or its members are not those of the manifest.
        UsageError: the manifest is invalid.
    """
    names = archive.namelist()
    if any(info.flag_bits & 1 or info.compress_type not in _PACKED for info in archive.infolist()):
        raise damaged(path, "it is encrypted, or packed in another way")
    if NAME not in names or archive.getinfo(NAME).file_size > _MOST:
        raise CommandError("backup.not_backup_ontocrawl_no", path=path, name=NAME)
    try:
        data = json.loads(archive.read(NAME))
        written = data["format"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise damaged(path, f"its {NAME} cannot be read") from error
    if not isinstance(written, int) or written > FORMAT:
        raise CommandError(
            "backup.backup_format_ontocrawl_reads", path=path, one_line=one_line(str(written)), format=FORMAT
        )
    manifest = checked(Manifest, data, f"{NAME} in {path}")
    if sorted(names) != sorted([NAME, *manifest.members]):
        raise damaged(path, f"its files are not those of its {NAME}")
    for name in manifest.members:
        if not _is_safe(name):
            raise CommandError("backup.file_no_path_workspace", path=path, name=name)
    if wrong := _misfit(manifest):
        raise damaged(path, wrong)
    return manifest


def _misfit(manifest: Manifest) -> str:
    """Return in what way the parts of a manifest do not fit to its members, as a clause; empty where they do."""
    members = manifest.members.keys()
    for name in manifest.journals:
        if not (_is_safe(name) and "/" not in name and f"runs/{name}/{JOURNAL}" in members):
            return f"the journal of run {one_line(name)} is missing"
    strange = {name.split("/")[1] for name in members if _is_journal(name)} - manifest.journals.keys()
    if strange:
        return f"its {NAME} does not have run {one_line(min(strange))}"
    folders = {"/".join(parts[:end]) for name in members for parts in [name.split("/")] for end in range(1, len(parts))}
    if folders & members:
        return f"{one_line(min(folders & members))} is a file and a folder"
    expected = "" if manifest.graph is None else {"engine": ENGINE, "export": EXPORT}[manifest.graph.kind]
    if manifest.graph is not None and (manifest.graph.member != expected or expected not in members):
        return "it has no graph"
    of_graph = {name for name in members if name == "graph" or name.startswith("graph/")}
    return "" if of_graph <= {expected} else "it has other files of a graph"


def _is_journal(name: str) -> bool:
    parts = name.split("/")
    return len(parts) == 3 and parts[0] == "runs" and parts[2] == JOURNAL


def _is_safe(name: str) -> bool:
    r"""Return whether a member's name is a relative path that stays in its folder, on this system.

    >>> [_is_safe(name) for name in ("runs/a/journal.sqlite", "../a", "/etc/passwd", "runs//a", "runs/a\0")]
    [True, False, False, False, False]
    """
    parts = name.split("/")
    forbidden = "\0\\:" if os.name == "nt" else "\0"
    fits = len(max(parts, key=len).encode(errors="replace")) <= _NAME and parts[0] != PART
    return fits and all(part not in ("", ".", "..") and not set(part) & set(forbidden) for part in parts)


def damaged(path: Path, how: str) -> CommandError:
    """Return the error for a file that is not as `backup` wrote it; ``how`` says how, as a clause."""
    return CommandError("backup.damaged_nothing_restored_use", path=path, how=how)
