"""Several files written as one: all or none, whatever happens at whatever write."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ontology import file_sets, files

NEW = {"a.ttl": b"new a", "b.ttl": b"new b", "versions/v.zip": b"new archive"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.ttl", "gone.md"):
        (tmp_path / name).write_bytes(b"old")
    return tmp_path


def _written(folder: Path) -> dict[Path, bytes | None]:
    return {folder / name: content for name, content in NEW.items()} | {folder / "gone.md": None}


def _content(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*"))
        if p.is_file() and not p.name.startswith(".")
    }  # fmt: skip


OLD = {"a.ttl": b"old", "gone.md": b"old"}


def _failing(call: Callable[..., object], number: int, error: BaseException) -> Callable[..., object]:
    """Return a function that fails at its call of a number, counted from 0."""
    calls = iter(range(10**6))

    def run(*given: object, **more: object) -> object:
        if next(calls) == number:
            raise error
        return call(*given, **more)

    return run


@pytest.mark.parametrize("number", range(4))
def test_a_full_disk_at_any_write_leaves_all_files_as_before(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with monkeypatch.context() as patch:
        if number < 3:
            patch.setattr(file_sets, "_write", _failing(file_sets._write, number, full))
        else:
            patch.setattr(file_sets, "write_atomically", _failing(files.write_atomically, 0, full))
        with pytest.raises(OSError, match="No space"):
            file_sets.write_together(_written(folder), folder / "versions" / "marker")
    assert _content(folder) == OLD
    assert not list(folder.rglob(".*.part"))
    file_sets.write_together(_written(folder), folder / "versions" / "marker")
    assert _content(folder) == NEW


def _kill_at(number: int) -> None:
    """End this process at a call of a number that changes files, counted from 0."""
    count = iter(range(10**6))

    def counted(call: Callable[..., object]) -> Callable[..., object]:
        def run(*given: object, **more: object) -> object:
            if next(count) == number:
                os.kill(os.getpid(), 9)
            return call(*given, **more)

        return run

    for owner, name in ((Path, "replace"), (Path, "unlink"), (Path, "open"), (os, "fsync"), (Path, "mkdir")):
        setattr(owner, name, counted(getattr(owner, name)))


@pytest.mark.slow
def test_a_process_that_is_killed_at_any_point_leaves_all_old_or_all_new(folder: Path) -> None:
    marker = folder / "versions" / "marker"
    seen = set()
    for kill_at in range(60):
        for path in list(folder.rglob("*")):
            if path.is_file():
                path.unlink()
        for name, content in OLD.items():
            (folder / name).write_bytes(content)
        child = os.fork()
        if child == 0:  # every system call that changes a file may be the last one
            _kill_at(kill_at)
            file_sets.write_together(_written(folder), marker)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        file_sets.complete(marker)
        content = _content(folder)
        assert content in (OLD, NEW), kill_at
        seen.add(content == NEW)
        if status == 0:
            break
    else:
        pytest.fail("the process was always killed")
    assert seen == {True, False}


def test_what_was_left_before_the_marker_is_removed_by_the_next(folder: Path) -> None:
    (folder / "versions").mkdir()
    (folder / "versions" / ".0.2.0.zip.part").write_bytes(b"half")
    file_sets.write_together(_written(folder), folder / "versions" / "marker")
    assert not list(folder.rglob(".*.part"))
    assert file_sets.complete(folder / "versions" / "marker") is False
