"""The export that SPARQL queries keep: after every change it is as a new one, and never half of one is used."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from kg import kept_export
from kg import sparql as engine
from kg.bolt import BoltStore
from kg.engine import embedded
from kg.kept_export import KeptExport
from kg.load import load_ontology, remove_ontology
from kg.project import project_crawl, remove_crawl
from kg.ranking.crawl_ranks import rank_crawl
from kg.sparql import library, sparql, with_values
from kg.store import Row, StoreError
from tests.kg import small_crawl as web
from tests.kg.test_export import small_web
from tests.queries.small_graph import LOCAL_ONTOLOGY, fill

ox = pytest.importorskip("pyoxigraph")
COUNT = "SELECT (COUNT(*) AS ?n) { ?p a og:Page }"
NEW_PAGE = "MERGE (p:Page {url: 'http://new.cn/'})"


class Counting:
    """A store that counts its reads, and may hide its revision."""

    def __init__(self, store: BoltStore, *, revised: bool = True) -> None:
        self._store = store
        self._revised = revised
        self.reads = 0

    def read(self, query: str, **params: Any) -> list[Row]:
        self.reads += 1
        return self._store.read(query, **params)

    def write(self, query: str, rows: Sequence[Mapping[str, Any]] | None = None, **params: Any) -> list[Row]:
        return self._store.write(query, rows, **params)

    def revision(self) -> str | None:
        return self._store.revision() if self._revised else None


def content(loaded: Any) -> Any:
    """All triples, with blank nodes under canonical names."""
    found = ox.Dataset(loaded.quads_for_pattern(None, None, None))
    found.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return found


def same_as_new(store: BoltStore, kept: Path, new: Path) -> int:
    """Compare the kept export with a new one, triple by triple and by the answers; return the number of triples."""
    with KeptExport(kept).open(store) as one, KeptExport(new).open(store, fresh=True) as other:
        assert content(one) == content(other)
        for name, entry in library().items():
            given = {"one": "run-a", "other": "run-b"} if name == "sparql/compare_crawls" else {}
            text = with_values(entry.query.text, entry.query.bind(given))
            mine, its = (engine._result(ox, loaded, text, threading.Event()) for loaded in (one, other))
            assert mine.columns == its.columns
            assert near(mine.rows) == its.rows, name
        return len(one)


def near(rows: Sequence[Row]) -> list[Row]:
    """Rows whose means are equal up to the order of addition."""
    return [{k: pytest.approx(v, rel=1e-12) if isinstance(v, float) else v for k, v in row.items()} for row in rows]


CHANGES: dict[str, Callable[[BoltStore], object]] = {
    "an ontology is loaded": lambda store: load_ontology(store, LOCAL_ONTOLOGY),
    "a crawl is projected": lambda store: project_crawl(
        store, web.OLDER, web.OLDER_OUTCOMES, web.OLDER_LINKS, web.OLDER_KNOWN, seeds=[web.SEED]
    ),
    "everything else is written": fill,
    "the other crawl is ranked": lambda store: rank_crawl(store, web.OLDER.id),
    "a property is changed by hand": lambda store: store.write(
        "MATCH (:Crawl {id: 'run-a'})-[f:FETCHED]->(p:Page {url: 'http://a.cn/2'}) SET f.relevance = 0.77, f.mine = [1]"
    ),
    "a page is named as a concept": lambda store: store.write("MERGE (p:Page {url: $iri})", iri=web.BASE + "Flood"),
    "a node is removed by hand": lambda store: store.write("MATCH (p:Page {url: 'http://c.cn/9'}) DETACH DELETE p"),
    "a crawl is removed": lambda store: remove_crawl(store, web.CRAWL.id),
    "an ontology is removed": lambda store: remove_ontology(store, LOCAL_ONTOLOGY.iri),
}


@pytest.mark.slow
@pytest.mark.parametrize("most", [9.0, kept_export.MOST], ids=["parts", "parts or all"])
def test_it_is_as_a_new_one_after_every_change(
    store: BoltStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: float
) -> None:
    monkeypatch.setattr(kept_export, "MOST", most)
    small_web(store)
    counts = [same_as_new(store, tmp_path / "kept", tmp_path / "new")]
    for change in CHANGES.values():
        change(store)
        counts.append(same_as_new(store, tmp_path / "kept", tmp_path / "new"))
    assert len(set(counts)) > len(CHANGES) // 2 and min(counts) > 0


@pytest.mark.slow
def test_a_graph_that_has_not_changed_is_not_read_again(store: BoltStore, tmp_path: Path) -> None:
    small_web(store)
    counting = Counting(store)
    first = sparql(counting, COUNT, kept=tmp_path)
    assert counting.reads
    counting.reads = 0
    for _ in range(2):
        assert sparql(counting, COUNT, kept=tmp_path) == first
        store.read("MATCH (p:Page) RETURN count(p) AS n")
    assert counting.reads == 0
    assert sparql(counting, COUNT, kept=tmp_path, fresh=True) == first
    assert counting.reads
    store.write(NEW_PAGE)
    assert sparql(counting, COUNT, kept=tmp_path).rows[0]["n"] == first.rows[0]["n"] + 1


@pytest.mark.slow
def test_without_a_revision_it_is_read_each_time(embedded_store: BoltStore, tmp_path: Path) -> None:
    small_web(embedded_store)
    counting = Counting(embedded_store, revised=False)
    before = sparql(counting, COUNT, kept=tmp_path).rows[0]["n"]
    embedded_store.write(NEW_PAGE)
    assert sparql(counting, COUNT, kept=tmp_path).rows[0]["n"] == before + 1


def test_a_revision_changes_with_each_change_and_with_no_read(store: BoltStore) -> None:
    revisions = [store.revision()]
    store.read("MATCH (p:Page) RETURN count(p) AS n")
    assert store.revision() == revisions[0] is not None
    for statement in (NEW_PAGE, "MATCH (p:Page) SET p.x = 1", "MATCH (p:Page) SET p.x = 2", "MATCH (p:Page) DELETE p"):
        store.write(statement)
        revisions.append(store.revision())
    with store.transaction() as transaction:
        transaction.write(NEW_PAGE)
    revisions.append(store.revision())
    assert len(set(revisions)) == len(revisions) and None not in revisions


@pytest.mark.slow
def test_a_revision_outlasts_the_engine_and_not_a_kill(tmp_path: Path) -> None:
    folder = tmp_path / "graph"
    with embedded.open_embedded(folder) as store:
        store.write(NEW_PAGE)
        before = store.revision()
    embedded.stop(folder)
    with embedded.open_embedded(folder) as store:
        assert store.revision() == before
        store.write("MATCH (p:Page) SET p.x = 1")
        changed = store.revision()
        assert changed not in (before, None)
    embedded.stop(folder)
    (folder / "inventory.json").write_text((folder / "inventory.json").read_text())  # by an end that did not record it
    with embedded.open_embedded(folder) as store:
        assert store.revision() not in (before, changed, None)
    embedded.stop(folder)


def _largest(kept: Path) -> Path:
    return max(kept.glob("exports/*/store/*.sst"), key=lambda path: path.stat().st_size)


def _shorter(kept: Path) -> None:
    path = _largest(kept)
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content[: len(content) // 2])


def _other_bytes(kept: Path) -> None:
    path = _largest(kept)
    content = bytearray(path.read_bytes())
    path.unlink()
    content[: len(content) // 2] = bytes(len(content) // 2)
    path.write_bytes(content)


def _gone(kept: Path) -> None:
    _largest(kept).unlink()


def _no_name(kept: Path) -> None:
    (kept / "current.json").write_text("{", encoding="utf-8")


def _other_format(kept: Path) -> None:
    path = kept / "current.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 0}), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("damage", [_shorter, _other_bytes, _gone, _no_name, _other_format])
def test_a_damaged_export_is_written_anew(
    embedded_store: BoltStore, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    small_web(embedded_store)
    names = "SELECT ?url ?title { ?f a og:FETCHED ; rdf:object ?p ; og:title ?title . ?p og:url ?url } ORDER BY ?url ?f"
    expected = sparql(embedded_store, names)
    assert sparql(embedded_store, names, kept=tmp_path) == expected and expected.rows
    damage(tmp_path)
    for _ in range(2):
        assert sparql(embedded_store, names, kept=tmp_path) == expected
    assert len(list((tmp_path / "exports").iterdir())) == 1


@pytest.mark.slow
def test_an_export_that_was_not_finished_is_not_used(
    embedded_store: BoltStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_web(embedded_store)
    before = sparql(embedded_store, COUNT, kept=tmp_path).rows[0]["n"]
    embedded_store.write(NEW_PAGE)
    with monkeypatch.context() as context, pytest.raises(KeyboardInterrupt):
        context.setattr(kept_export, "write_private", _interrupt)
        sparql(embedded_store, COUNT, kept=tmp_path)
    (tmp_path / "exports" / "left-by-a-kill").mkdir()
    assert sparql(embedded_store, COUNT, kept=tmp_path).rows[0]["n"] == before + 1
    assert len(list((tmp_path / "exports").iterdir())) == 1


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.slow
def test_a_query_is_not_disturbed_by_a_newer_export(embedded_store: BoltStore, tmp_path: Path) -> None:
    small_web(embedded_store)
    export = KeptExport(tmp_path)
    with export.open(embedded_store) as loaded:
        before = content(loaded)
        embedded_store.write(NEW_PAGE)
        with export.open(embedded_store) as newer:
            assert content(newer) != before
        assert content(loaded) == before
        assert len(list((tmp_path / "exports").iterdir())) == 2
    embedded_store.write("MATCH (p:Page {url: 'http://new.cn/'}) DELETE p")
    with export.open(embedded_store) as loaded:
        assert content(loaded) == before
    assert len(list((tmp_path / "exports").iterdir())) == 1
    assert not list((tmp_path / "users").iterdir())


@pytest.mark.slow
def test_queries_at_the_same_time_while_the_graph_changes(embedded_store: BoltStore, tmp_path: Path) -> None:
    small_web(embedded_store)
    before = sparql(embedded_store, COUNT).rows[0]["n"]
    counts: list[int] = []
    errors: list[BaseException] = []

    def ask() -> None:
        try:
            counts.extend(sparql(embedded_store, COUNT, kept=tmp_path).rows[0]["n"] for _ in range(4))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(6):
        embedded_store.write("MERGE (p:Page {url: $url})", url=f"http://new.cn/{number}")
    for thread in threads:
        thread.join()
    assert errors == [] and len(counts) == 12
    assert min(counts) >= before and max(counts) <= before + 6
    assert sparql(embedded_store, COUNT, kept=tmp_path).rows[0]["n"] == before + 6


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_to_is_left_alone(
    embedded_store: BoltStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_web(embedded_store)
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    assert sparql(embedded_store, COUNT, kept=blocked / "sparql") == sparql(embedded_store, COUNT)
    monkeypatch.setattr(kept_export, "LOCK_SECONDS", 0.1)
    (tmp_path / "kept").mkdir()
    lock = kept_export.FileLock(tmp_path / "kept" / "lock")
    assert lock.try_acquire()
    with pytest.raises(StoreError, match="another command has been writing the export"):
        sparql(embedded_store, COUNT, kept=tmp_path / "kept")
    lock.release()
