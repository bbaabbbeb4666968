"""The store that records."""

from __future__ import annotations

import pytest

from kg.store import GraphStore, StoreError
from tests.kg.recording_store import Call, RecordingStore


def test_it_answers_from_its_table_and_records() -> None:
    recorded = RecordingStore({"count(p)": [{"n": 3}], "boom": StoreError("as told")})
    store: GraphStore = recorded
    recorded.reply("$rows", lambda params: [{"n": len(params["rows"]), "crawl": params["crawl"]}])
    assert store.read("MATCH (p:Page) RETURN count(p) AS n", x=1) == [{"n": 3}]
    assert store.read("RETURN 1 AS x") == []
    assert store.write("UNWIND $rows AS row MERGE ..", [{"url": "a"}], crawl="c") == [{"n": 1, "crawl": "c"}]
    store.schema("CREATE INDEX ..")
    with pytest.raises(StoreError, match="as told"):
        store.write("boom")
    assert recorded.calls[2] == Call("write", "UNWIND $rows AS row MERGE ..", ({"url": "a"},), {"crawl": "c"}, None)
    assert recorded.statements("read") == ["MATCH (p:Page) RETURN count(p) AS n", "RETURN 1 AS x"]
    assert recorded.statements()[-2:] == ["CREATE INDEX ..", "boom"]
    store.close()
    assert recorded.closed


def test_its_transactions_have_numbers_and_ends() -> None:
    store = RecordingStore()
    with store.transaction() as transaction:
        transaction.write("one")
    with pytest.raises(KeyError), store.transaction() as transaction:
        transaction.write("two", [])
        raise KeyError
    assert [(call.statement, call.transaction, call.rows) for call in store.calls] == [("one", 1, None), ("two", 2, ())]
    assert (store.committed, store.rolled_back) == ([1], [2])
