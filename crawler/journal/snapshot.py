"""Lossless serialisation of a state (nested dicts of JSON values and arrays) as compressed npz, without pickle."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from ontology.errors import OntocrawlError

_ARRAY = "__array__"
_TREE = "tree"


class SnapshotError(OntocrawlError):
    """Error for a saved state that cannot be read."""


def pack(state: Mapping[str, Any]) -> bytes:
    """Serialise a state. Keys are strings; values are JSON values, numpy arrays, or dicts and lists of them.

    >>> unpack(pack({"step": 3, "weights": np.array([0.5, 1.0])}))
    {'step': 3, 'weights': array([0.5, 1. ])}
    """
    arrays: dict[str, Any] = {}
    tree = json.dumps(_lift(state, arrays), ensure_ascii=False, allow_nan=True)
    arrays[_TREE] = np.frombuffer(tree.encode(), dtype=np.uint8)
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def unpack(data: bytes) -> dict[str, Any]:
    """Return the state that ``pack`` serialised. Raises SnapshotError for damaged bytes."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            tree = json.loads(arrays[_TREE].tobytes())
            restored: dict[str, Any] = _sink(tree, arrays)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise SnapshotError(f"a snapshot of a run could not be read back: {error}") from error
    return restored


def _lift(value: Any, arrays: dict[str, Any]) -> Any:
    if isinstance(value, np.ndarray):
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {_ARRAY: name}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(k): _lift(v, arrays) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_lift(v, arrays) for v in value]
    return value


def _sink(value: Any, arrays: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        if set(value) == {_ARRAY}:
            return arrays[value[_ARRAY]]
        return {k: _sink(v, arrays) for k, v in value.items()}
    if isinstance(value, list):
        return [_sink(v, arrays) for v in value]
    return value
