"""The inventory of the embedded engine's files: what it finds after an orderly end, and what it costs."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from kg.engine import data as engine_data
from kg.engine.data import DamagedGraphError
from kg.engine.files import EngineFolder

BUCKET = "Page_0.0.65536.v0.bucket"


@pytest.fixture
def quiet(tmp_path: Path) -> EngineFolder:
    """A folder as an engine leaves it after an orderly end."""
    place = tmp_path / "graph" / "data" / "databases" / "g"
    place.mkdir(parents=True)
    (place / "schema.json").write_text(json.dumps({"types": {"Page": {"buckets": ["Page_0"]}}}))
    (place / BUCKET).write_bytes(bytes(range(256)) * 40)
    folder = EngineFolder(tmp_path / "graph")
    engine_data.note_end(folder, "g")
    return folder


def bucket(folder: EngineFolder) -> Path:
    return folder.data / "databases" / "g" / BUCKET


def overwrite(path: Path, *, keep_time: bool) -> None:
    """Change one byte of a file, whose size stays."""
    before = path.stat()
    content = bytearray(path.read_bytes())
    content[5_000] ^= 1
    path.write_bytes(content)
    moment = before.st_mtime_ns + (0 if keep_time else 10**9)
    os.utime(path, ns=(moment, moment))


def test_one_changed_byte_is_found_at_the_next_start(quiet: EngineFolder) -> None:
    assert engine_data.check(quiet, "g")
    overwrite(bucket(quiet), keep_time=False)
    with pytest.raises(DamagedGraphError, match=r"content of Page_0.* is not what the engine wrote.*graph check"):
        engine_data.check(quiet, "g")


def test_a_file_that_keeps_its_time_is_compared_by_the_thorough_check_only(quiet: EngineFolder) -> None:
    overwrite(bucket(quiet), keep_time=True)
    assert engine_data.check(quiet, "g")
    with pytest.raises(DamagedGraphError, match="is not what the engine wrote"):
        engine_data.check(quiet, "g", thorough=True)


def test_a_copy_with_other_times_is_whole(quiet: EngineFolder, tmp_path: Path) -> None:
    shutil.copytree(quiet.root, tmp_path / "copy", copy_function=shutil.copyfile)
    copied = EngineFolder(tmp_path / "copy")
    assert bucket(copied).stat().st_mtime_ns != bucket(quiet).stat().st_mtime_ns
    assert engine_data.check(copied, "g", thorough=True)


def test_only_files_that_were_written_are_read_at_the_end(quiet: EngineFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    digest = engine_data._digest

    def reading(path: Path) -> str:
        read.append(path.name)
        return digest(path)

    monkeypatch.setattr(engine_data, "_digest", reading)
    engine_data.note_running(quiet)
    engine_data.note_end(quiet, "g")
    assert read == []
    overwrite(bucket(quiet), keep_time=False)
    engine_data.note_end(quiet, "g")
    assert read == [BUCKET]
    assert engine_data.check(quiet, "g", thorough=True)


def test_contents_are_not_compared_after_a_crash_nor_with_an_older_inventory(quiet: EngineFolder) -> None:
    noted = json.loads(quiet.inventory.read_text())
    overwrite(bucket(quiet), keep_time=False)
    engine_data.note_running(quiet)
    assert not engine_data.check(quiet, "g", thorough=True)
    quiet.inventory.write_text(json.dumps({"files": noted["files"], "orderly": True}))
    assert not engine_data.check(quiet, "g", thorough=True)
    engine_data.note_end(quiet, "g")
    assert engine_data.check(quiet, "g", thorough=True)


def test_a_damaged_inventory_is_replaced_at_the_end(quiet: EngineFolder) -> None:
    quiet.inventory.write_text("?")
    engine_data.note_end(quiet, "g")
    assert engine_data.check(quiet, "g", thorough=True)


def test_a_file_that_is_gone(quiet: EngineFolder) -> None:
    bucket(quiet).with_name("configuration.json").write_text("{}")
    engine_data.note_end(quiet, "g")
    bucket(quiet).with_name("configuration.json").unlink()
    with pytest.raises(DamagedGraphError, match=r"configuration\.json is gone"):
        engine_data.check(quiet, "g")
