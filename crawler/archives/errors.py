"""Errors of archives."""

from __future__ import annotations

from pathlib import Path

from ontology.errors import OntocrawlError


class ArchiveError(OntocrawlError):
    """Error for an archive that cannot be opened, or a place where none can be written."""


class ArchiveWriteError(ArchiveError):
    """Error for a record that could not be written; earlier records are kept, and the crawl can be resumed."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__("archives.record_unwritten", path=path, why=error.strerror or error)
