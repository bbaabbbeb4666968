"""The store suite: the same behaviour on every engine, and clear words where there is none."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from kg import bolt
from kg.bolt import BoltStore, _without_password
from kg.interruption import interruptible
from kg.store import StatementError, StoreError, StoreUnavailable

MERGE_PAGES = "UNWIND $rows AS row MERGE (p:Page {url: row.url}) SET p.n = row.n RETURN count(*) AS n"
DIVIDE = "UNWIND $rows AS row MERGE (p:Page {url: row.url}) SET p.n = 10 / row.n RETURN count(*) AS n"


def pages(store: BoltStore) -> int:
    return int(store.read("MATCH (p:Page) RETURN count(p) AS n")[0]["n"])


def connect(store: BoltStore, **changed: Any) -> BoltStore:
    """Another store on the same server."""
    given: dict[str, Any] = {"uri": store.uri, "auth": store._auth, "database": store._database, **changed}
    return BoltStore(**given)


def test_rows_are_scalars_lists_and_maps(store: BoltStore) -> None:
    rows = store.read(
        "UNWIND $given AS x RETURN x.a AS a, [x.a, {b: '台风'}] AS list, {k: null, v: [1.5, true]} AS map ORDER BY a",
        given=[{"a": 1}, {"a": 2}],
    )
    assert rows == [{"a": a, "list": [a, {"b": "台风"}], "map": {"k": None, "v": [1.5, True]}} for a in (1, 2)]


@pytest.mark.slow
def test_nodes_relationships_and_paths_are_maps(store: BoltStore) -> None:
    store.write("MERGE (a:Page {url: 'a'}) MERGE (b:Page {url: 'b', n: 2}) MERGE (a)-[:LINKS_TO {crawl: 'c'}]->(b)")
    a, b = ({"labels": ["Page"], "properties": props} for props in ({"url": "a"}, {"n": 2, "url": "b"}))
    link = {"type": "LINKS_TO", "properties": {"crawl": "c"}}
    path = {"nodes": [a, b], "relationships": [{**link, "start": 0, "end": 1}]}
    forms = {"a": a, "r": link, "path": path, "[a]": [a], "{a: r}": {"a": link}, "relationships(path)": [link]}
    for what, form in forms.items():
        found = store.read(f"MATCH path = (a:Page)-[r:LINKS_TO]->(:Page) RETURN {what} AS x")
        assert found == [{"x": form}], what
    (back,) = store.read("MATCH path = (b:Page)<-[r:LINKS_TO]-(:Page) RETURN path AS x")
    assert back["x"] == {"nodes": [b, a], "relationships": [{**link, "start": 1, "end": 0}]}
    assert store.read("MATCH (a:Page {url: 'a'}) RETURN properties(a) AS a") == [{"a": {"url": "a"}}]


@pytest.mark.parametrize(
    ("expression", "form"),
    [
        ("date('2024-09-06')", "2024-09-06"),
        ("datetime('2024-09-06T10:00:00+02:00')", "2024-09-06T10:00:00.000000000+02:00"),
        ("localdatetime('2024-09-06T10:00:00')", "2024-09-06T10:00:00.000000000"),
        ("localtime('10:00:00')", "10:00:00.000000000"),
        ("duration('P1M2DT3S')", "P1M2DT3S"),
        ("[{day: date('2024-09-06')}]", [{"day": "2024-09-06"}]),
        ("point({longitude: 116.4, latitude: 39.9})", {"crs": "wgs-84", "longitude": 116.4, "latitude": 39.9}),
        ("point({x: 1, y: 2, z: 3})", {"crs": "cartesian-3d", "x": 1.0, "y": 2.0, "z": 3.0}),
    ],
)
def test_times_become_text_and_points_maps(store: BoltStore, expression: str, form: Any) -> None:
    assert store.read(f"RETURN {expression} AS x") == [{"x": form}]
    if isinstance(form, dict):
        assert store.read("RETURN point($map) AS x", map=form) == [{"x": form}]


def test_a_value_without_a_form_is_refused(store: BoltStore) -> None:
    with pytest.raises(StatementError, match="could not do: RETURN date"):
        store.read("RETURN date({year: 12000}) AS x")
    assert store.read("RETURN $bytes AS x", bytes=b"\x01") == [{"x": b"\x01"}]


@pytest.mark.slow
@pytest.mark.parametrize("word", ["EXPLAIN", "profile"])
def test_the_rows_of_a_plan(store: BoltStore, word: str) -> None:
    store.write("MERGE (:Page {url: 'a'})")
    long = f"MATCH (p:Page) WHERE p.url IN {['a'] * 300} RETURN p.url AS url"
    for statement in ("MATCH (p:Page) RETURN p.url AS url", long):
        with interruptible(60):
            rows = store.read(f"// a note\n{word} {statement}")
        assert len(rows) >= 3 and all(list(row) == ["depth", "operator", "details"] for row in rows)
        assert any("Index" in row["operator"] or "NodeByLabelScan" in row["operator"] for row in rows)
    with pytest.raises(StatementError, match="refused: EXPLAIN RETURN nope"):
        store.read("EXPLAIN RETURN nope")
    store.write("EXPLAIN MERGE (:Page {url: 'b'})")
    assert pages(store) == 1


def test_read_refuses_writes_before_they_are_sent(store: BoltStore) -> None:
    sent: list[str] = []
    with connect(store, trace=lambda statement, _: sent.append(statement)) as traced:
        sent.clear()
        with pytest.raises(StoreError, match="must not change the graph, and it contains CREATE: MATCH"):
            traced.read("// a note\nMATCH (n)\nCREATE (:Page {url: 'x'})")
    assert sent == []


def test_read_is_rolled_back_even_if_a_write_gets_through(store: BoltStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bolt, "refusal", lambda _: None)
    try:
        store.read("MERGE (p:Page {url: 'x'}) RETURN p.url AS url")
    except StoreError as refused:
        assert "refused" in str(refused)
    assert pages(store) == 0


def test_wrong_statements_say_why(store: BoltStore) -> None:
    with pytest.raises(StoreError, match=r"(?s)refused: RETURN nope.*nope"):
        store.read("RETURN nope")
    with pytest.raises(StoreError, match="missing"):
        store.read("RETURN $missing AS x")
    assert store.read("RETURN 1 AS x") == [{"x": 1}]


@pytest.mark.slow
def test_write_sends_batches(store: BoltStore) -> None:
    rows = [{"url": str(i), "n": i} for i in range(4_500)]
    assert store.write(MERGE_PAGES, rows) == [{"n": 2_000}, {"n": 2_000}, {"n": 500}]
    assert store.write(MERGE_PAGES, rows[:3]) == [{"n": 3}]
    assert store.write(MERGE_PAGES, []) == []
    assert store.write("MATCH (p:Page) WHERE p.n < $n RETURN count(p) AS n", n=10) == [{"n": 10}]
    assert pages(store) == 4_500


@pytest.mark.slow
def test_a_failing_write_leaves_nothing(store: BoltStore) -> None:
    rows = [{"url": str(i), "n": i - 500} for i in range(1_000)]
    with pytest.raises(StoreError, match="refused"):
        store.write(DIVIDE, rows)
    assert pages(store) == 0


@pytest.mark.slow
def test_a_failing_batch_leaves_the_batches_before_it(store: BoltStore) -> None:
    rows = [{"url": str(i), "n": 2_500 - i} for i in range(3_000)]
    with pytest.raises(StoreError, match="refused"):
        store.write(DIVIDE, rows)
    assert pages(store) == bolt.BATCH


def test_null_keys_are_refused_alike(store: BoltStore) -> None:
    with pytest.raises(StoreError, match="row 1 has none at 'url'"):
        store.write(MERGE_PAGES, [{"url": "a", "n": 1}, {"url": None, "n": 2}])
    with pytest.raises(StoreError, match="row 0 has none at 'url'"), store.transaction() as transaction:
        transaction.write(MERGE_PAGES, [{"n": 2}])
    with pytest.raises(StoreError, match=r"parameter \$url is null"):
        store.write("MERGE (p:Page {url: $url})", url=None)
    assert pages(store) == 0


@pytest.mark.slow
def test_a_transaction_becomes_visible_at_its_end(store: BoltStore) -> None:
    with store.transaction() as transaction:
        transaction.write(MERGE_PAGES, [{"url": str(i), "n": i} for i in range(2_001)])
        assert transaction.write("MATCH (p:Page) RETURN count(p) AS n") == [{"n": 2_001}]
        transaction.write("MERGE (h:Host {name: $name})", name="example.org")
        with connect(store) as outside:
            assert pages(outside) == 0
    assert pages(store) == 2_001


def test_a_transaction_that_raises_leaves_nothing(store: BoltStore) -> None:
    with pytest.raises(KeyError), store.transaction() as transaction:
        transaction.write(MERGE_PAGES, [{"url": "a", "n": 1}])
        raise KeyError("of the caller")
    with pytest.raises(StoreError, match="refused: UNWIND"), store.transaction() as transaction:
        transaction.write(MERGE_PAGES, [{"url": "a", "n": 1}])
        transaction.write(DIVIDE, [{"url": "b", "n": 0}])
    assert pages(store) == 0


def _together(work: list[Any]) -> list[BaseException]:
    errors: list[BaseException] = []

    def guarded(one: Any) -> None:
        try:
            one()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(one,)) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


@pytest.mark.slow
def test_concurrent_writes_are_repeated_until_they_succeed(store: BoltStore) -> None:
    store.write("MERGE (p:Page {url: 'counter'}) SET p.n = 0")

    def add() -> None:
        for _ in range(10):
            store.write("MATCH (p:Page {url: 'counter'}) SET p.n = p.n + 1")

    assert _together([add] * 4) == []
    assert store.read("MATCH (p:Page {url: 'counter'}) RETURN p.n AS n") == [{"n": 40}]


@pytest.mark.slow
def test_transactions_that_meet_are_repeated_as_a_whole(store: BoltStore) -> None:
    names = [str(i) for i in range(30)]
    store.write(MERGE_PAGES, [{"url": name, "n": 0} for name in names])
    meet = threading.Barrier(2, timeout=20)

    def both(order: list[str]) -> None:
        waited = False
        with store.transaction() as transaction:
            for half in (order[:15], order[15:]):
                transaction.write(
                    "UNWIND $rows AS row MERGE (p:Page {url: row.url}) SET p.n = p.n + 1 RETURN count(*) AS n",
                    [{"url": name} for name in half],
                )
                if not waited:
                    meet.wait()
                    waited = True

    assert _together([lambda: both(names), lambda: both(names[::-1])]) == []
    assert store.read("MATCH (p:Page) RETURN min(p.n) AS low, max(p.n) AS high") == [{"low": 2, "high": 2}]


def test_a_repeated_transaction_must_give_the_same_rows(embedded_store: BoltStore) -> None:
    store = embedded_store
    store.write("MERGE (p:Page {url: 'a'}) SET p.n = 0")
    add = "MATCH (p:Page {url: 'a'}) SET p.n = p.n + 1 RETURN p.n AS n"
    with pytest.raises(StoreError, match="another process changed the same part"), store.transaction() as transaction:
        assert transaction.write(add) == [{"n": 1}]
        assert store.write(add) == [{"n": 1}]
    assert store.read("MATCH (p:Page {url: 'a'}) RETURN p.n AS n") == [{"n": 1}]


def test_an_error_of_the_caller_comes_out_of_a_transaction_as_it_is(store: BoltStore) -> None:
    """A ValueError within is no wrong address of a server; nothing of the transaction stays."""
    with pytest.raises(ValueError, match=r"^mine$"), store.transaction() as transaction:
        transaction.write(MERGE_PAGES, [{"url": "never", "n": 0}])
        raise ValueError("mine")
    assert store.read("MATCH (p:Page {url: 'never'}) RETURN p.url AS url") == []


def test_trace_shows_each_statement(store: BoltStore) -> None:
    seen: list[tuple[str, Mapping[str, Any]]] = []
    with connect(store, trace=lambda *shown: seen.append(shown)) as traced:
        seen.clear()
        traced.read("RETURN $x AS x", x=1)
        traced.write(MERGE_PAGES, [{"url": "a", "n": 1}])
        with traced.transaction() as transaction:
            transaction.write("MATCH (p:Page) SET p.n = $n", n=2)
        traced.schema("CREATE INDEX page_n IF NOT EXISTS FOR (p:Page) ON (p.n)")
    store.schema("DROP INDEX page_n IF EXISTS")
    assert [dict(params) for _, params in seen] == [{"x": 1}, {"rows": [{"url": "a", "n": 1}]}, {"n": 2}, {}]
    assert [statement.split()[0] for statement, _ in seen] == ["RETURN", "UNWIND", "MATCH", "CREATE"]


def test_remarks_of_the_server_are_quiet_and_in_the_log(
    store: BoltStore,
    request: pytest.FixtureRequest,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, logger="neo4j.notifications")
    assert store.read("MATCH (n:NoSuchLabel) RETURN n.url AS url") == []
    assert capfd.readouterr() == ("", "")
    told = [record.getMessage() for record in caplog.records if record.name == "neo4j.notifications"]
    assert any("NoSuchLabel" in text for text in told) == ("neo4j" in request.node.callspec.id)


def test_wrong_password(store: BoltStore) -> None:
    with pytest.raises(
        StoreUnavailable, match=r"refused the user 'nobody'.*NEO4J_USERNAME and NEO4J_PASSWORD"
    ) as caught:
        connect(store, auth=("nobody", "secret-guess"))
    assert store.uri in str(caught.value)
    assert "secret-guess" not in str(caught.value)


def test_missing_database(store: BoltStore) -> None:
    with pytest.raises(StoreUnavailable, match="has no database 'nowhere': set NEO4J_DATABASE"):
        connect(store, database="nowhere")


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def test_nothing_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        uri = f"bolt://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(StoreUnavailable, match=f"no graph server answers at {uri}.*set NEO4J_URI to a running one"):
            BoltStore(uri, ("neo4j", "x"))
        with pytest.raises(StoreUnavailable, match="no graph server answers at neo4j://"):
            BoltStore(uri.replace("bolt", "neo4j"), ("neo4j", "x"))


@pytest.mark.slow
def test_something_else_listens(silent_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bolt, "CONNECT_SECONDS", 0.5)
    with pytest.raises(StoreUnavailable, match=r"no graph server answers at bolt://127\.0\.0\.1"):
        BoltStore(f"bolt://127.0.0.1:{silent_port}", ("neo4j", "x"))


@pytest.mark.parametrize("uri", ["", "localhost:7687", "http://localhost:7474", "bolt://", "bolt://localhost:port"])
def test_addresses_that_are_none(uri: str) -> None:
    with pytest.raises(StoreUnavailable, match="NEO4J_URI"):
        BoltStore(uri, ("neo4j", "x"))


def test_a_password_in_the_address_is_not_shown() -> None:
    assert _without_password("bolt://me:secret@host:1") == "bolt://host:1"
    assert _without_password("bolt://host:1") == "bolt://host:1"


def test_an_interruption_that_the_driver_cannot_end_comes_out_as_it_is(
    embedded_store: BoltStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        try:
            raise KeyboardInterrupt
        finally:
            held = memoryview(data := bytearray(b"answer"))
            data.extend(b"more")  # as where the driver rolls back within an answer
            held.release()

    monkeypatch.setattr("kg.bolt._run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        embedded_store.read("RETURN 1 AS one")


def test_close_twice(store: BoltStore) -> None:
    other = connect(store)
    other.close()
    other.close()


def test_statements_are_logged_with_the_sizes_of_their_parameters(
    store: BoltStore, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "kg.statements")
    store.write("// title\n" + MERGE_PAGES, [{"url": f"u{i}", "n": i} for i in range(9)])
    store.read("RETURN $x AS x, $long AS y", x="暴雨", long="a" * 500)
    texts = [record.getMessage() for record in caplog.records]
    assert texts[0] == f"{MERGE_PAGES}\n  $rows = 9 rows"
    assert "$x = '暴雨'" in texts[1] and "(502 characters)" in texts[1] and "a" * 200 not in texts[1]
