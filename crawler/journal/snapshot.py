"""Lossless serialisation of a state (nested dicts of JSON values and arrays) in one piece or as changes, no pickle.

A snapshot is a header and the bytes of its arrays, not compressed: at a million links, compression takes a second. It
is whole, or it has a Patch in place of arrays that changed since the snapshot before. A chain is a whole snapshot and
those with changes after it. Version 0.1 wrote whole ones as compressed npz, which are read, too.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.frontier.growable import Patch
from ontology.errors import OntocrawlError

_ARRAY = "__array__"
_PATCH = "__patch__"
_TREE = "tree"
_MAGIC = b"OCSNAP02"
_HEAD = struct.Struct("<8sQQ")
"""Magic number, length of the tree, and sum of the 64-bit words after the head."""
_WORD = 8


class SnapshotError(OntocrawlError):
    """Error for a saved state that cannot be read."""


def pack(state: Mapping[str, Any]) -> bytes:
    """Serialise a state. Keys are strings; values are JSON values, arrays, patches, or dicts and lists of them.

    >>> unpack(pack({"step": 3, "weights": np.array([0.5, 1.0])}))
    {'step': 3, 'weights': array([0.5, 1. ])}
    """
    return b"".join(parts(state))


def parts(state: Mapping[str, Any]) -> list[bytes | memoryview]:
    """Return the bytes that ``pack`` joins: to write them one after the other spares a copy of a large state."""
    arrays: list[NDArray[Any]] = []
    tree = _lift(state, arrays, {})
    kinds = [[array.dtype.str, array.shape] for array in arrays]
    header = json.dumps([tree, kinds], ensure_ascii=False, allow_nan=True).encode()
    pieces = [memoryview(header), *(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data for array in arrays)]
    body: list[bytes | memoryview] = []
    checksum = 0
    for data in pieces:
        words = len(data) - len(data) % _WORD
        last = bytes(data[words:]).ljust(_WORD, b"\0") if words < len(data) else b""
        body += [data[:words], last]
        checksum += _sum(data[:words]) + _sum(last)
    return [_HEAD.pack(_MAGIC, len(header), checksum % 2**64), *body]


def unpack(data: bytes, *changes: bytes) -> dict[str, Any]:
    """Return the state that ``pack`` serialised.

    Args:
        data: a whole snapshot.
        changes: those with changes after it, in order.

    Raises:
        SnapshotError: the bytes are damaged, or the changes do not fit the snapshot before them.
    """
    try:
        state: dict[str, Any] = _unpacked_npz(data) if data[:2] == b"PK" else _unpacked(data, {})
        for change in changes:
            state = _unpacked(change, state)
    except (
        OSError,
        ValueError,
        KeyError,
        EOFError,
        TypeError,
        IndexError,
        struct.error,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise SnapshotError("journal.snapshot_run_could_not", error=error) from error
    return state


@dataclass
class Chain:
    """The chain to which the next snapshot belongs: whole ones are rare, as their cost is that of many changes."""

    whole: int = 0
    """Bytes of the last whole snapshot; 0 before the first one, which a process writes whole."""
    changes: int = 0
    """Bytes of the changes since then."""

    @property
    def next_is_whole(self) -> bool:
        """Whether the next snapshot is whole: it is the first, or the changes have outgrown the last whole one."""
        return self.whole == 0 or self.changes > self.whole

    def wrote(self, size: int) -> None:
        """Count the bytes of a snapshot that was written as ``next_is_whole`` says."""
        if self.next_is_whole:
            self.whole, self.changes = size, 0
        else:
            self.changes += size


def _lift(value: Any, arrays: list[NDArray[Any]], places: dict[int, int]) -> Any:
    """Return a value with its arrays replaced by their places in ``arrays``, where an array stands once."""
    if isinstance(value, np.ndarray):
        if id(value) not in places:
            places[id(value)] = len(arrays)
            arrays.append(value)
        return {_ARRAY: places[id(value)]}
    if isinstance(value, Patch):
        return {_PATCH: [value.n, _lift(value.rows, arrays, places), _lift(value.values, arrays, places)]}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(k): _lift(v, arrays, places) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_lift(v, arrays, places) for v in value]
    return value


def _sink(value: Any, arrays: Mapping[Any, Any], before: Any) -> Any:
    """Return a value with its arrays; ``before`` is what stood in its place in the snapshot before."""
    if isinstance(value, dict):
        if set(value) == {_ARRAY}:
            return arrays[value[_ARRAY]]
        if set(value) == {_PATCH}:
            n, rows, values = value[_PATCH]
            return Patch(n, _sink(rows, arrays, None), _sink(values, arrays, None)).applied(before)
        return {k: _sink(v, arrays, before.get(k) if isinstance(before, dict) else None) for k, v in value.items()}
    if isinstance(value, list):
        return [_sink(v, arrays, None) for v in value]
    return value


def _unpacked(data: bytes, before: dict[str, Any]) -> dict[str, Any]:
    magic, length, checksum = _HEAD.unpack_from(data)
    if magic != _MAGIC or (len(data) - _HEAD.size) % _WORD or _sum(memoryview(data)[_HEAD.size :]) != checksum:
        raise ValueError("its checksum is wrong")
    at = _HEAD.size
    tree, kinds = json.loads(data[at : at + length])
    at += length + -length % _WORD
    arrays = dict[int, NDArray[Any]]()
    for place, (kind, shape) in enumerate(kinds):
        dtype, size = np.dtype(kind), int(np.prod(shape))
        arrays[place] = np.frombuffer(data, dtype, size, at).reshape(shape).copy()
        at += size * dtype.itemsize + -size * dtype.itemsize % _WORD
    state: dict[str, Any] = _sink(tree, arrays, before)
    return state


def _unpacked_npz(data: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        state: dict[str, Any] = _sink(json.loads(arrays[_TREE].tobytes()), arrays, None)
    return state


def _sum(data: bytes | memoryview) -> int:
    return int(np.add.reduce(np.frombuffer(data, dtype=np.uint64)))
