"""The schema as data, on every engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg import schema
from kg.bolt import BoltStore
from kg.store import StoreError

MODEL = Path(__file__).resolve().parents[2] / "docs" / "graph-model.md"


def test_apply_is_idempotent(store: BoltStore) -> None:
    assert schema.apply(store) == schema.SchemaStatus(schema.VERSION, schema.VERSION, current=True)
    for statement in schema.statements():
        store.schema(statement)
    assert schema.status(store).current
    assert store.read("MATCH (n) RETURN count(n) AS n") == [{"n": 1}]


@pytest.mark.parametrize(("label", "key"), schema.KEYS.items())
def test_keys_are_unique(store: BoltStore, label: str, key: str) -> None:
    with pytest.raises(StoreError, match="refused"):
        store.write(f"UNWIND $rows AS row CREATE (:{label} {{{key}: row.key}})", [{"key": "a"}, {"key": "a"}])
    assert store.read(f"MATCH (n:{label} {{{key}: 'a'}}) RETURN count(n) AS n") == [{"n": 0}]
