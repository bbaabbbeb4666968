"""Atomic writing of files, and reading of users' text files."""

from __future__ import annotations

import codecs
import contextlib
import errno
import lzma
import os
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import IO

from ontology.errors import Message, OntocrawlError

DAMAGED_ZIP = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError, struct.error)
"""What `zipfile` raises for an archive that is damaged, encrypted, or packed in a way that it does not know."""


_QUOTED = re.compile(r'"((?:[^"]|"")*)"')


def read_text(path: str | Path, error: type[OntocrawlError]) -> str:
    """Read a user's small text file: UTF-8, or what Excel saves instead (UTF-16 with its mark, GB18030).

    Args:
        path: the file.
        error: the exception to raise.

    Returns:
        The text.

    Raises:
        OntocrawlError: as ``error``: no such file, a folder, or bytes in none of these encodings.
    """
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError as missing:
        raise error("files.no_such_file", path=path) from missing
    except IsADirectoryError as folder:
        raise error("files.is_folder", path=path) from folder
    except OSError as refused:
        raise error("files.could_not_be_read", path=path, error=refused.strerror) from refused
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings: tuple[str, ...] = ("utf-16",)
    else:
        encodings = ("utf-8-sig", "gb18030")
    for encoding in encodings:
        with contextlib.suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            if "\x00" not in text:
                return text
    raise error("files.not_text", path=path)


def tab_cells(line: str) -> list[str]:
    r"""Return the cells of a line of a table with tabs, without the quotation marks that spreadsheets put around them.

    Excel saves a cell with a comma or a quotation mark in marks.

    >>> tab_cells('flood\t "storm, surge"\t"the ""big"" one"\t"a" and "b"')
    ['flood', 'storm, surge', 'the "big" one', '"a" and "b"']
    """
    cells = (cell.strip() for cell in line.split("\t"))
    return [m.group(1).replace('""', '"') if (m := _QUOTED.fullmatch(cell)) else cell for cell in cells]


def write_atomically(path: Path, data: bytes) -> None:
    """Write to a temporary file beside ``path``, then rename it, so that a crash leaves the old file.

    Args:
        path: the file; missing folders are made.
        data: its new content.

    Raises:
        OSError: no permission, full disk and so on; the temporary file is removed.
    """
    with open_atomically(path) as stream:
        stream.write(data)


@contextmanager
def open_atomically(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Open a temporary file beside ``path`` that is renamed at the end of the block, or removed if the block fails.

    Args:
        path: the file; missing folders are made.
        private: whether only its owner may read it.

    Yields:
        The temporary file, to write and to seek in.

    Raises:
        OSError: no permission, full disk and so on; the temporary file is removed.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, Message("files.give_file"), str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise OSError(error.errno, Message("files.cannot_be_written", why=error.strerror), str(path)) from error
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if not private:
            umask = os.umask(0)
            os.umask(umask)
            Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            Path(temporary).unlink()
        raise


def append_lines(path: Path, lines: Iterable[str]) -> None:
    """Add lines to a file that only grows; they are on the disk when this returns.

    A last line without its end, which a killed command left, is removed first. If the disk is full, the file is as it
    was before. Let one command at a time add to a file.

    Args:
        path: the file; it and its folder are made where they are missing.
        lines: the lines, without their ends.

    Raises:
        OSError: the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    with path.open("r+b") as stream:
        end = stream.read().rfind(b"\n") + 1
        try:
            stream.truncate(end)
            stream.seek(end)
            stream.write("".join(f"{line}\n" for line in lines).encode())
            stream.flush()
            os.fsync(stream.fileno())
        except OSError:
            os.truncate(path, end)
            raise


Stamp = tuple[int, int, int]
"""What differs after each change of a file: its inode, its time and its size."""


def stamp(path: Path) -> Stamp | None:
    """Return the stamp of a file; None where there is none, or it cannot be seen."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def digest(path: Path) -> str:
    """Return the BLAKE2b digest (16 bytes, hexadecimal) of a file's contents. Raises OSError."""
    return blake2b(path.read_bytes(), digest_size=16).hexdigest()
