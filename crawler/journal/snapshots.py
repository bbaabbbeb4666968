"""The snapshots of a run as files beside its journal: a whole one, and those of what changed after it.

They are files because SQLite takes ten times as long to store a large value. A snapshot only spares the replay of
earlier events: where a file is missing or damaged, the run resumes from an earlier one, or from its first event.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crawler.journal.snapshot import Chain, SnapshotError, parts, unpack

_WHOLE, _CHANGES = ".whole", ".changes"


class Snapshots:
    """Reads and writes the snapshots of a run.

    Args:
        folder: folder of the files; it is created by the first snapshot.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._chain = Chain()
        self.last: int | None = None
        """Number of the last event of the snapshot that was written last, None before the first one."""

    @property
    def next_is_whole(self) -> bool:
        """Whether ``write`` expects a whole state next, not its changes: at first, and when the changes grow large."""
        return self._chain.next_is_whole

    def begin_anew(self) -> None:
        """Expect a whole state next: what the crawl will save is no change of what it saved last."""
        self._chain, self.last = Chain(), None

    def write(self, seq: int, known: int, state: Mapping[str, Any]) -> None:
        """Write a snapshot; a whole one replaces all before it.

        Args:
            seq: number of the last event that the state includes.
            known: number of known URLs.
            state: the state if ``next_is_whole``, else its changes since the last snapshot that was written.

        Raises:
            OSError: the file cannot be written, for example because the disk is full. Earlier ones are kept.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        whole = self.next_is_whole
        path = self._folder / f"{seq:012}-{known}{_WHOLE if whole else _CHANGES}"
        part = path.with_suffix(".part")
        try:
            with part.open("wb") as file:
                file.writelines(parts(state))
                size = file.tell()
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        for earlier in self._files() if whole else ():
            if earlier.name < path.name:
                earlier.unlink()
        self._chain.wrote(size)
        self.last = seq

    def latest(self, last: int) -> tuple[int, int, dict[str, Any]] | None:
        """Return the newest snapshot that can be read; None where there is none.

        Args:
            last: number of the last event of the journal; a snapshot of later ones outlived them and is ignored.

        Returns:
            Number of the last event that it includes, number of known URLs, and the state.
        """
        files = [file for file in self._files() if _numbers(file)[0] <= last]
        begins = [place for place, file in enumerate(files) if file.suffix == _WHOLE]
        chain = [file.read_bytes() for file in files[begins[-1] :]] if begins else []
        for end in range(len(chain), 0, -1):
            try:
                state = unpack(*chain[:end])
            except SnapshotError:
                continue
            return (*_numbers(files[begins[-1] + end - 1]), state)
        return None

    def discard_after(self, last: int) -> None:
        """Delete the snapshots of events after the one with the number ``last``."""
        for file in self._files():
            if _numbers(file)[0] > last:
                file.unlink()

    def _files(self) -> list[Path]:
        """Return the files in the order of their events."""
        return sorted(file for kind in (_WHOLE, _CHANGES) for file in self._folder.glob(f"*-*{kind}"))


def _numbers(file: Path) -> tuple[int, int]:
    """Return the number of the event and the number of known URLs of a snapshot."""
    seq, known = file.stem.split("-")
    return int(seq), int(known)
