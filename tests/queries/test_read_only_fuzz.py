"""Random statements that would write, or call another server, do neither through the doors for reading.

Each test first sends its statements through a door without a guard, to a graph or a listener of its own, and counts
those that do harm there: fewer than half would show that the statements are not worth refusing. ``FUZZ_SECONDS`` gives
each test more time (600 before a release), ``FUZZ_SEED`` another seed; both are printed.
"""

from __future__ import annotations

import contextlib
import http.server
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from kg import bolt
from kg.bolt import BoltStore
from kg.sparql import SparqlError, sparql
from kg.store import StoreError
from ontocrawl.errors import UsageError
from ontocrawl.versions import competency_checks
from ontology.competency import Question
from tests.conftest import empty
from tests.kg import small_crawl as web

SECONDS = float(os.environ.get("FUZZ_SECONDS", "0"))
SEED = int(os.environ.get("FUZZ_SEED", "0"))
STATEMENTS = 120
QUERIES = 120

LINE_ENDS = ("\n", "\r", "\r\n", "\u2028", "\u2029", "\x0b", "\x0c", "\x85")
BLANKS = (" ", "\t", "\n", "\r", "\r\n", "\u3000", " /* ' */ ", ' /* " // */ ', " /* ` \r*/ ")
STRINGS = (
    "'a'", '"a"', "''", "'it\\'s'", '"\\""', "'\\\\'", "'//'", "'/*'", '"*/"', "'`'", "'\\u0041'",
    "'a\\u0027 + '", '"a\\u0022 + "', "'\\u005c'", "'RETURN'", "'\r'", "'\\n'", "'\u2028'",
)  # fmt: skip
NAMES = ("x", "`x`", "`a b`", "`a``b`", "`CREATE`", "`//`", "`'`", "`\\u0060`", "set_")
WRITES = (
    "CREATE (:Pwn {k: 1})",
    "MERGE (:Pwn {k: 2})",
    "MERGE (m:`Pwn` {k: 3}) ON CREATE SET m.x = 1",
    "MATCH (p:Page) SET p.pwn = 1",
    "MATCH (p:Page) SET p += {pwn: 1}",
    "MATCH (p:Page) REMOVE p.url",
    "MATCH (p:Page) DETACH DELETE p",
    "MATCH (:Page)-[r:LINKS_TO]->(:Page) DELETE r",
    "MATCH (p:Page) SET p:Pwn",
    "FOREACH (i IN [1, 2] | CREATE (:Pwn {k: i}))",
    "MATCH (p:Page) WITH collect(p) AS all FOREACH (p IN all | SET p.pwn = 1)",
)
TRANSACTIONS = ("", "", " IN TRANSACTIONS", " IN TRANSACTIONS OF 1 ROW", " IN 2 CONCURRENT TRANSACTIONS OF 1 ROWS",
                " IN TRANSACTIONS OF 2 ROWS ON ERROR CONTINUE")  # fmt: skip
WHOLE = (
    "CREATE INDEX pwn IF NOT EXISTS FOR (n:Page) ON (n.pwn)",
    "CREATE CONSTRAINT pwn IF NOT EXISTS FOR (n:Pwn) REQUIRE n.k IS UNIQUE",
    "CALL db.createLabel('Pwn')",
    "CALL merge.node(['Pwn'], {k: 4}, {}, {}) YIELD node RETURN 1 AS y",
    "CALL do.when(true, 'CREATE (:Pwn)', '', {}) YIELD value RETURN 1 AS y",
    "CALL db.labels YIELD label CALL do.when(true, 'CREATE (:Pwn)', '', {}) YIELD value RETURN 1 AS y",
)


def spelled(words: str, draw: random.Random) -> str:
    """The words with other capitals, blanks and, rarely, an escaped letter (which Neo4j decodes anywhere)."""
    way = draw.random()
    if way < 0.05:
        index = draw.choice([i for i, letter in enumerate(words) if letter.isalpha()])
        return f"{words[:index]}\\u{ord(words[index]):04x}{words[index + 1 :]}"
    changed = draw.choice((str, str.lower, str.title))(words.partition(" ")[0])
    rest = words[len(changed) :]
    return changed + (rest.replace(" ", draw.choice(BLANKS), 1) if way < 0.5 else rest)


def comment(draw: random.Random) -> str:
    text = draw.choice(("", " '", ' "', " `", " /*", " RETURN 1", " \\u000a"))
    return f" //{text}{draw.choice(LINE_ENDS)}" if draw.random() < 0.7 else f" /*{text.replace('/*', '')} */ "


def statement(draw: random.Random) -> str:
    """A statement that writes, unless the engine does not know its form; its parts hide the write from a reader."""
    if draw.random() < 0.05:
        return spelled(draw.choice(WHOLE), draw)
    name, string, write = draw.choice(NAMES), draw.choice(STRINGS), spelled(draw.choice(WRITES), draw)
    before = draw.choice((f"WITH {string} AS {name}", f"UNWIND [{string}] AS {name}", f"WITH 1 AS {name}"))
    hidden = comment(draw) if draw.random() < 0.5 else " "
    kind = draw.random()
    if kind < 0.35:
        text = f"{before}{hidden}{write}"
    elif kind < 0.85:
        inner = draw.choice((f"CALL ({name}) {{ {write} }}", f"CALL {{ WITH {name} {write} }}", f"CALL {{ {write} }}"))
        text = f"{before}{hidden}{inner}{draw.choice(TRANSACTIONS)}"
        text += draw.choice(("", " RETURN 1 AS y", f"{comment(draw)} RETURN 1 AS y"))
    elif kind < 0.92:
        text = draw.choice(("RETURN 1 AS y;", "PROFILE ", "CYPHER runtime=slotted ")) + hidden + write
    else:
        text = f"UNWIND [1] AS {name} CALL {{ CALL {{ {hidden}{write} }} }} RETURN 1 AS y"
    tail = draw.random()
    return text + (f" //{string[0]}" if tail < 0.4 else ";" if tail < 0.5 else "")


def filled(store: BoltStore, keep: list[str] | None = None) -> BoltStore:
    """The store with two pages and a link, and only the keys and indexes to keep."""
    for kind in ("CONSTRAINT", "INDEX"):
        for name in set(names(store)) - set(names(store) if keep is None else keep):
            with contextlib.suppress(StoreError):
                store.schema(f"DROP {kind} `{name}` IF EXISTS")
    empty(store).write("CREATE (:Page {url: 'a'})-[:LINKS_TO {crawl: 'c'}]->(:Page {url: 'b'})")
    return store


def names(store: BoltStore) -> list[str]:
    """Names of keys and indexes."""
    shown = (store.read(f"SHOW {kind} YIELD name RETURN name") for kind in ("CONSTRAINTS", "INDEXES"))
    return sorted({row["name"] for rows in shown for row in rows})


def state(store: BoltStore) -> list[object]:
    return [
        sorted(map(repr, store.read("MATCH (n) RETURN labels(n) AS labels, properties(n) AS p"))),
        store.read("MATCH ()-[r]->() RETURN type(r) AS type, count(*) AS n ORDER BY type"),
        names(store),
    ]


def drawn(make: Callable[[random.Random], str], number: int, share: float) -> Iterator[str]:
    """Distinct texts: some, or as many as the time (a share of it) allows."""
    draw, end, seen = random.Random(SEED), time.monotonic() + SECONDS * share, set[str]()
    while len(seen) < number or time.monotonic() < end:
        text = make(draw)
        if text not in seen:
            seen.add(text)
            yield text


@pytest.mark.slow
def test_statements_write_nothing(store: BoltStore, monkeypatch: pytest.MonkeyPatch) -> None:
    before, keep = state(filled(store)), names(store)
    sent, harmful = [], 0
    for text in drawn(statement, STATEMENTS, 0.5):
        with contextlib.suppress(StoreError):
            store.schema(text)  # auto-committed, with the right to write
        sent.append(text)
        if state(store) != before:
            harmful += 1
            assert state(filled(store, keep)) == before, text
    passed = _read_all(store, sent, before)
    monkeypatch.setattr(bolt, "refusal", lambda _: None)
    answered = _read_all(store, sent, before)
    print(
        f"seed {SEED}: {len(sent)} statements, {harmful} write without a guard; {passed} pass the guard, and {answered}"
        " are answered by the engine without it; none wrote"
    )
    assert harmful >= len(sent) / 2
    empty(store)


def _read_all(store: BoltStore, statements: list[str], before: list[object]) -> int:
    """Number of statements that are answered; none may change anything."""
    answered = 0
    for number, text in enumerate(statements):
        with contextlib.suppress(StoreError):
            store.read(text)
            answered += 1
        if number % 20 == 0 or number == len(statements) - 1:
            assert state(store) == before, f"seed {SEED}, one of {statements[max(0, number - 20) : number + 1]!r}"
    return answered


# ---- SPARQL: the listener must not hear anything

HERE = "http://127.0.0.1:{port}/"
SERVICES = ("SERVICE", "service", "Service", "SERVICE SILENT", "SERVICE\tSILENT", "SERVICE#\r")
PLACES = (" <{here}x>", "<{here}x>", "\r<{here}x>", " e:x", "\te:x", "e:x", ":x", " ?u", "?u", "#'\r<{here}x>")
COMMENTS = ("", " ", "#\n", "#\r", "#'\r", '#"\n', "#<\r\n", "#SELECT\r", "# ''' \r")
LITERALS = ("'a'", '"a"', "'''a'b'''", '"""\n"""', "'\\''", '"\\""', "'#'", "'\\u0027'", "'service'", "'SERVICE <'")
FRAMES = ("%s", "%s", "OPTIONAL { %s }", "{ SELECT * { %s } }", "{ %s } UNION { ?a ?b ?c }", "SERVICE <{here}y> { %s }")
FORMS = ("SELECT * ", "SELECT*", "ASK ", "ask#'\r", "CONSTRUCT { ?s ?p ?o } WHERE ", "select (1 as ?one) where\r")
PREFIXES = (
    "PREFIX e: <{here}> PREFIX : <{here}> ",
    "PREFIX e:<{here}>#\rPREFIX :<{here}>",
    "BASE <{here}>PREFIX e:<>prefix :<>\r",
)


def query(draw: random.Random, here: str) -> str:
    """A query with a SERVICE clause that calls ``here``, unless the library reads it otherwise."""
    clause = draw.choice(SERVICES) + draw.choice(PLACES) + draw.choice(COMMENTS) + "{ ?s ?p ?o }"
    for frame in draw.choices(FRAMES, k=2):
        clause = frame.replace("%s", clause)
    before = "VALUES ?u { <{here}x> } " if "?u" in clause else ""
    before += draw.choice(("", f"BIND({draw.choice(LITERALS)} AS ?l) ")) + draw.choice(COMMENTS)
    text = f"{draw.choice(PREFIXES)}{draw.choice(FORMS)}{{ {before}{clause}{draw.choice(COMMENTS)}\n}}"
    return text.replace("{here}", here)


def query_of_rdflib(draw: random.Random, here: str) -> str:
    """The same for rdflib, which reads less: a full IRI behind a blank, and a service outside of others."""
    clause = f"{draw.choice(SERVICES[:4])} <{{here}}x>{draw.choice(COMMENTS[:2])}{{ ?s ?p ?o }}"
    clause = draw.choice(FRAMES[:5]).replace("%s", clause)
    before = draw.choice(("", f"BIND({draw.choice(LITERALS[:5])} AS ?l) ", "?a ?b ?c . ", "# SELECT '\n"))
    form = draw.choice(("SELECT * ", "SELECT * FROM <{here}z> ", "SELECT ?s WHERE ", "SELECT DISTINCT ?o\n"))
    text = f"{draw.choice(('', PREFIXES[0]))}{form}{{ {before}{clause}{draw.choice(COMMENTS[:3])}\n}}"
    return text.replace("{here}", here)


@pytest.fixture
def heard() -> Iterator[tuple[list[str], str]]:
    """What a listener on loopback was asked, and its address."""
    asked: list[str] = []

    class Listener(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield asked, HERE.format(port=server.server_port)
        server.shutdown()


@pytest.mark.slow
def test_sparql_calls_nobody(heard: tuple[list[str], str], tmp_path: Path) -> None:
    ox = pytest.importorskip("pyoxigraph")
    asked, here = heard
    file = tmp_path / "graph.ttl"
    file.write_text(f"<{here}a> <{here}p> 'service' .\n", encoding="utf-8")
    unguarded = ox.Store()
    unguarded.load(path=str(file), format=ox.RdfFormat.TURTLE)
    graph, unguarded_graph = (competency_checks._sparql_graph([web.ONTOLOGY]) for _ in range(2))
    doors = {
        "pyoxigraph": (query, unguarded.query, lambda text: sparql(file, text, seconds=20)),
        "rdflib": (
            query_of_rdflib,
            lambda text: len(unguarded_graph.query(text)),
            lambda text: competency_checks._answers(Question("q", "", "?", "sparql", text), graph, None),
        ),
    }
    for name, (make, unguarded_door, door) in doors.items():
        harmful, sent = 0, 0
        for text in drawn(partial(make, here=here), QUERIES, 0.5):
            before = len(asked)
            with contextlib.suppress(Exception):  # errors of the libraries, of whatever kind
                result = unguarded_door(text)
                _ = result if isinstance(result, bool | int) else list(result)
            harmful += len(asked) > before
            before, sent = len(asked), sent + 1
            with contextlib.suppress(SparqlError, UsageError):
                door(text)
            assert len(asked) == before, f"seed {SEED}: {text!r}"
        print(f"seed {SEED}: {sent} queries of {name}, {harmful} call without a guard; none called with it")
        assert harmful >= sent / 2, name
