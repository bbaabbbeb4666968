"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def write_atomically(path: Path, data: bytes) -> None:
    """Write to a temporary file beside ``path``, then rename; a crash leaves the old file. Makes missing folders.

    OSError as the system gives it (no permission, full disk); the temporary file is removed.
    """
    with open_atomically(path) as stream:
        stream.write(data)


@contextmanager
def open_atomically(path: Path) -> Iterator[IO[bytes]]:
    """A stream to a temporary file beside ``path`` that is renamed at the end of the block, removed where it fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            Path(temporary).unlink()
        raise
