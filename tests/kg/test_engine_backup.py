"""A backup of the embedded engine while it is written to: whole transactions, usable in another folder."""

from __future__ import annotations

import threading
import zipfile
from pathlib import Path

import pytest

from kg.bolt import BoltStore
from kg.engine import backup, embedded
from kg.engine.backup import Origin
from kg.engine.files import FORMAT, EngineFolder, NewerEngineError
from kg.store import StoreError

BATCH = 50


@pytest.mark.slow
def test_a_backup_among_writes_has_whole_transactions(embedded_store: BoltStore, tmp_path: Path) -> None:
    assert isinstance(embedded_store, embedded.EmbeddedStore)
    folder, ended, batches = embedded_store._folder, threading.Event(), [0]

    def write() -> None:
        while not ended.is_set():
            rows = [{"id": f"b{batches[0]}-{number}"} for number in range(BATCH)]
            embedded_store.write("UNWIND $rows AS row CREATE (:SavedA {id: row.id})-[:SAVED]->(:SavedB)", rows=rows)
            batches[0] += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while batches[0] < 3:
            assert writer.is_alive()
        before = batches[0]
        origin = backup.write(folder, tmp_path / "saved.zip")
    finally:
        ended.set()
        writer.join()
    assert not list((folder / "data" / "backups").rglob("*.zip"))
    backup.restore(tmp_path / "saved.zip", tmp_path / "graph", origin)
    assert embedded.compare_files(tmp_path / "graph") is True
    with embedded.open_embedded(tmp_path / "graph") as store:
        counts = store.read("MATCH (a:SavedA)-[r:SAVED]->(b:SavedB) RETURN count(a) AS a, count(r) AS r, count(b) AS b")
        nodes = store.read("MATCH (n:SavedA) RETURN count(n) AS n")[0]["n"]
        assert embedded.check_structures(tmp_path / "graph") == []
    embedded.stop(tmp_path / "graph")
    assert counts == [{"a": nodes, "r": nodes, "b": nodes}]
    assert nodes % BATCH == 0 and before * BATCH <= nodes <= batches[0] * BATCH


def test_a_member_that_would_leave_the_folder_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr("../../../../evil", b"x")
    with pytest.raises(StoreError, match="evil"):
        backup.restore(tmp_path / "bad.zip", tmp_path / "graph", Origin(FORMAT, "1"))
    assert not (tmp_path / "evil").exists()


def test_the_data_of_a_newer_engine_are_known_as_such(tmp_path: Path) -> None:
    assert backup.is_of_newer_engine(Origin(FORMAT, "999.1")) and backup.is_of_newer_engine(Origin(FORMAT + 1, "1"))
    assert not backup.is_of_newer_engine(Origin(FORMAT, "1.0"))
    with zipfile.ZipFile(tmp_path / "new.zip", "w") as archive:
        archive.writestr("schema.json", "{}")
    backup.restore(tmp_path / "new.zip", tmp_path / "graph", Origin(FORMAT, "999.1"))
    with pytest.raises(NewerEngineError, match=r"999\.1"):
        embedded.attach(tmp_path / "graph")
    assert EngineFolder(tmp_path / "graph").inventory.exists()
