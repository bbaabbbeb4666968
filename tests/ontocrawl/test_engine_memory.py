"""The memory of the embedded engine by ontocrawl.toml: a query that needs more is refused with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.engine import embedded
from kg.store import StoreError
from ontocrawl.base import config, workspace
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store

SORTED = (
    "UNWIND range(1, 400000) AS n WITH 'a longer text, ' + toString(n) AS text ORDER BY text RETURN count(text) AS n"
)


def settings(folder: Path, memory: int) -> workspace.Workspace:
    (folder / config.FILE).write_text(f"[graph]\nmemory = {memory}\n", encoding="utf-8")
    return workspace.find(folder)[0]


@pytest.mark.slow
def test_a_query_may_fill_half_of_the_memory_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NEO4J_URI", raising=False)
    small = settings(tmp_path, 256)
    with (
        graph_store.store(small, migrate=False) as store,
        pytest.raises(StoreError, match=r"set a larger memory \(in MB\) in the table \[graph\] of ontocrawl.toml"),
    ):
        graph_store.cypher(store, SORTED)
    embedded.stop(small.graph)
    larger = settings(tmp_path, 1_024)
    with graph_store.store(larger, migrate=False) as store:
        assert graph_store.cypher(store, SORTED).rows == ((400_000,),)
    embedded.stop(larger.graph)


def test_too_little_memory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"graph.memory: .* 256 \(found 10\)"):
        settings(tmp_path, 10)
