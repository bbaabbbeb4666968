"""Snapshots: whole, as changes, of version 0.1, and damaged."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from crawler.frontier import Frontier
from crawler.frontier.growable import Column, Patch, Touched
from crawler.journal.journal import _Snapshots
from crawler.journal.snapshot import Chain, SnapshotError, pack, unpack

STATE = {
    "step": 3, "text": "暴雨", "nan": float("nan"), "none": None, "list": [1, [2.5, True], {"x": np.arange(3)}],
    "bools": np.array([True, False, True]), "empty": np.empty(0, dtype=np.int64), "table": np.arange(6.0).reshape(2, 3),
    "int32": np.array([7, -1], dtype=np.int32), "scalar": np.float64(0.1),
}  # fmt: skip


def equal(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and bool((one == other).all())
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return one == other or (one != one and other != other)


def test_a_state_comes_back() -> None:
    assert equal(unpack(pack(STATE)), STATE)
    restored = unpack(pack({"x": np.arange(3)}))["x"]
    restored[0] = 9  # its own memory, not the bytes'
    assert restored.tolist() == [9, 1, 2]


def test_changes_are_applied_in_order() -> None:
    column, touched, chain = Column(), Touched(), list[bytes]()
    rng = np.random.default_rng(0)
    for n in (5, 5, 9, 300):
        rows = rng.permutation(n)[: n // 2]
        column.grow(n)
        column.set(rows, rng.random(len(rows)))
        touched.add(rows)
        chain.append(pack({"of": {"column": column.patch(n, touched.rows(n)) if chain else column.dump(n)}, "n": n}))
        touched.clear(n)
        assert unpack(*chain)["of"]["column"].tolist() == column.dump(n).tolist()
        assert unpack(*chain)["n"] == n
    chain.append(pack({"of": {"column": column.tail(300, 300)}}))
    assert unpack(*chain)["of"]["column"].tolist() == column.dump(300).tolist()


def test_an_array_that_stands_twice_is_written_once() -> None:
    rows = np.arange(1000)
    once, twice = (len(pack({"a": rows, "b": other})) for other in (0, rows))
    assert twice < once + 100


def test_a_snapshot_of_version_0_1_is_read() -> None:
    out = io.BytesIO()
    tree = np.frombuffer(json.dumps({"step": 3, "w": {"__array__": "a0"}}).encode(), dtype=np.uint8)
    np.savez_compressed(out, a0=np.array([0.5, 1.0]), tree=tree)
    assert equal(unpack(out.getvalue()), {"step": 3, "w": np.array([0.5, 1.0])})


@pytest.mark.parametrize("damage", [
    lambda data: data[:-8], lambda data: data[:5], lambda data: b"", lambda data: b"PK" + data[2:],
    lambda data: data[:-3] + bytes([data[-3] ^ 4]) + data[-2:], lambda data: b"X" + data[1:], lambda data: data + b"\0",
])  # fmt: skip
def test_damage_is_found(damage) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SnapshotError, match="could not be read back"):
        unpack(damage(pack(STATE)))


def test_changes_without_the_snapshot_before_them_are_refused() -> None:
    with pytest.raises(SnapshotError, match="could not be read back"):
        unpack(pack({"x": Patch(3, np.array([1]), np.array([0.5]))}))


def test_a_chain_is_begun_anew_when_the_changes_outgrow_its_whole_snapshot() -> None:
    chain, whole = Chain(), list[bool]()
    for size in (100, 60, 60, 90, 91):
        whole.append(chain.next_is_whole)
        chain.wrote(size)
    assert whole == [True, False, False, True, False]


def test_the_newest_readable_snapshot_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "snapshots"
    snapshots, column = _Snapshots(folder), Column()
    assert snapshots.latest(99) is None
    written = {}
    for seq in (3, 5, 8, 9, 12):
        column.grow(2000)
        column.set(np.array([seq]), np.array([0.5]))
        whole = snapshots.next_is_whole
        rows = np.array([seq])
        snapshots.write(seq, 10 * seq, {"x": column.dump(2000) if whole else column.patch(2000, rows), "whole": whole})
        written[seq] = column.dump(2000)
    for last, seq in ((99, 12), (11, 9), (8, 8)):
        found = _Snapshots(folder).latest(last)
        assert found is not None
        assert found[:2] == (seq, 10 * seq)
        assert found[2]["x"].tolist() == written[seq].tolist()
    newest = max(folder.iterdir())
    newest.write_bytes(newest.read_bytes()[:-8])
    found = _Snapshots(folder).latest(99)
    assert found is not None
    assert found[0] == 9
    min(folder.iterdir()).write_bytes(b"")
    assert _Snapshots(folder).latest(99) is None


def test_a_whole_snapshot_replaces_those_before_it(tmp_path: Path) -> None:
    snapshots, whole = _Snapshots(tmp_path), list[bool]()
    for seq in range(1, 8):
        whole.append(snapshots.next_is_whole)
        snapshots.write(seq, seq, {"x": np.zeros(1000) if whole[-1] else Patch(1000, None, np.ones(400))})
    assert whole == [True, False, False, False, True, False, False]
    assert [file.suffix for file in sorted(tmp_path.iterdir())] == [".whole", ".changes", ".changes"]


def test_a_snapshot_that_cannot_be_written_leaves_the_earlier_ones(tmp_path: Path) -> None:
    snapshots = _Snapshots(tmp_path)
    snapshots.write(1, 1, {"x": np.zeros(10)})
    (tmp_path / "000000000002-2.part").mkdir()
    with pytest.raises(OSError, match="directory"):
        snapshots.write(2, 2, {"x": Patch(10, None, np.ones(2))})
    assert not snapshots.next_is_whole
    found = snapshots.latest(9)
    assert found is not None
    assert found[0] == 1


def test_rows_that_change_again_and_again_are_kept_once() -> None:
    touched = Touched()
    for _ in range(500):
        touched.add(np.arange(3, 1003))
        touched.add(np.array([5, 2000]))
    assert touched._size < 200_000
    assert touched.rows(3000).tolist() == list(range(3000))
    touched.clear(3000)
    touched.add(np.array([7]))
    assert touched.rows(3001).tolist() == [7, 3000]


def test_changes_that_begin_after_the_snapshot_before_them_are_left_out(tmp_path: Path) -> None:
    snapshots = _Snapshots(tmp_path)
    snapshots.write(1, 1, {"x": np.arange(1000.0)})
    snapshots.write(2, 2, {"x": Patch(1003, None, np.array([7.0, 8.0, 9.0]))})
    snapshots.write(3, 3, {"x": Patch(1006, None, np.array([5.0]))})  # what changed from 1,003 to 1,005 is lost
    found = _Snapshots(tmp_path).latest(9)
    assert found is not None and found[0] == 2 and found[2]["x"][-3:].tolist() == [7.0, 8.0, 9.0]
    with pytest.raises(ValueError, match="rows from 2 to 3 are missing"):
        Patch(4, np.array([0, 3]), np.array([1.0, 1.0])).applied(np.zeros(2))


def test_changes_right_after_a_re_scoring_have_the_features_of_new_links() -> None:
    frontier = Frontier(("x",))
    frontier.put(frontier.discover(host=[0, 1]), np.ones(2))
    whole = pack(frontier.state())
    frontier.saved()
    frontier.put(frontier.discover(host=[1, 2, 2]), np.ones(3))
    restored = unpack(whole, pack(frontier.changes(scored=True)))
    assert restored["stale"] and restored["columns"]["x"].shape == restored["priority"].shape == (5,)
