"""Fixtures for tests on real graph engines.

``store`` is an empty graph with its schema on each engine in turn: ``embedded``, and ``neo4j`` (a real server, see
neo4j_server.py for when it runs; `pytest -m "not neo4j"` leaves it out). ``embedded_store`` is on the first alone.
One server of each kind serves the whole session. With `pytest -n` a worker takes whole files, and one worker takes
all tests of Neo4j, so that a server starts once; so it is with the demo and with the workspace of the session. The
last lines of a run say which engines it ran on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from _pytest.terminal import TerminalReporter

from kg import schema
from kg.bolt import BoltStore
from kg.engine import embedded
from tests import sources
from tests.kg import neo4j_server

ENGINES = (pytest.param("embedded"), pytest.param("neo4j", marks=pytest.mark.neo4j))
# Tests are not timed: machines are busy with other things. They draw the same examples each time, so that a failure
# says something of the change; `pytest --hypothesis-profile search` draws others.
hypothesis.settings.register_profile("house", deadline=None, derandomize=True)
hypothesis.settings.register_profile("search", deadline=None)
hypothesis.settings.load_profile("house")
embedded.JAVA_OPTIONS = (neo4j_server.FIRST_COMPILER,)
_MADE_ONCE = {"demo_folder": "demo", "shared_space": "space"}
"""Fixture of a session that takes long -> name of the tests that use it, which one worker takes."""
_ON_EMBEDDED = {"store", "embedded_store", "embedded_engine", "space"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--part K/N``."""
    parser.addoption("--part", metavar="K/N", help="run part K of N of the slow tests, 1 to N: whole files")


def pytest_configure(config: pytest.Config) -> None:
    """Have pytest-xdist take groups in the order of collection: by their numbers of tests, programs would be last."""
    config.option.loadscopereorder = False


def _together(item: pytest.Item) -> str:
    """Name what runs in one part and on one worker: a file, whose tests may go on from each other, or a test apart."""
    return item.nodeid if item.get_closest_marker("apart") else item.nodeid.partition("::")[0]


def _group(item: pytest.Item) -> str:
    """Name what one worker takes: all tests of Neo4j, of the demo, of one workspace, of the sources, or a file."""
    if item.get_closest_marker("neo4j"):
        return "neo4j"
    for fixture, group in _MADE_ONCE.items():
        if isinstance(item, pytest.Function) and fixture in item.fixturenames:
            return group
    if isinstance(item, pytest.Function) and getattr(item.module, "sources", None) is sources:
        return "sources"
    return _together(item)


def _part_of(items: list[pytest.Item], parts: int) -> dict[str, int]:
    """Divide what runs together into parts with as many slow tests each: the largest first, to the smallest part."""
    sizes = Counter({_together(item): 0 for item in items})
    sizes.update(_together(item) for item in items if item.get_closest_marker("slow"))
    part_of, filled = dict[str, int](), [0] * parts
    for name, size in sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0])):
        part_of[name] = filled.index(min(filled))
        filled[part_of[name]] += size
    return part_of


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the group of each test before pytest-xdist looks at it: marks that come later change nothing."""
    if config.getoption("part"):
        part, parts = map(int, config.getoption("part").split("/"))
        part_of = _part_of(items, parts)
        config.hook.pytest_deselected(items=[item for item in items if part_of[_together(item)] != part - 1])
        items[:] = [item for item in items if part_of[_together(item)] == part - 1]
    group_of = {item: _group(item) for item in items}
    sizes = Counter(group_of.values())
    # Workers take groups in this order: what is long, a program or a file of many tests, is not the last of one.
    items.sort(key=lambda item: (item.get_closest_marker("apart") is None, -sizes[group_of[item]]))
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group_of[item]))
        if item.get_closest_marker("neo4j"):
            item.user_properties.append(("engine", "a real Neo4j"))
        elif isinstance(item, pytest.Function) and not _ON_EMBEDDED.isdisjoint(item.fixturenames):
            item.user_properties.append(("engine", "the embedded engine"))


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Which engines the graph's tests ran on, and how many were skipped there."""
    for outcome in ("passed", "skipped"):
        reports = terminalreporter.stats.get(outcome, ())
        noted = (pair for r in reports for pair in getattr(r, "user_properties", ()))  # a skipped module has none
        engines = Counter(value for name, value in noted if name == "engine")
        for engine, count in sorted(engines.items()):
            terminalreporter.write_line(f"{count} tests {outcome} on {engine}")


def empty(store: BoltStore) -> BoltStore:
    """The store with nothing left in its graph but the schema."""
    left = True
    while left:
        left = bool(
            store.write("MATCH (n) WHERE NOT n:GraphSchema WITH n LIMIT 5000 DETACH DELETE n RETURN 1 AS one LIMIT 1")
        )
    return store


@pytest.fixture(scope="session")
def embedded_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltStore]:
    folder = tmp_path_factory.mktemp("engine") / "graph"
    with embedded.open_embedded(folder) as store:
        schema.apply(store)
        yield store
    embedded.stop(folder)


@pytest.fixture(scope="session")
def neo4j_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltStore]:
    server = neo4j_server.start(tmp_path_factory.mktemp("neo4j"))
    try:
        with BoltStore(server.uri, server.auth) as store:
            schema.apply(store)
            yield store
    finally:
        server.stop()


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What `ontocrawl demo` made, for docs/queries.md too; its engine is stopped at the end."""
    from ontocrawl import demo
    from tools import query_catalogue

    folder = tmp_path_factory.mktemp("demo") / "out"
    demo.run(folder, pages=query_catalogue.DEMO_PAGES, seed=query_catalogue.DEMO_SEED, on_stage=lambda stage: None)
    yield folder
    embedded.stop(folder / "workspace" / "graph")


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest) -> BoltStore:
    """An empty graph with its schema, on each engine."""
    return empty(request.getfixturevalue(f"{request.param}_engine"))


@pytest.fixture
def embedded_store(embedded_engine: BoltStore) -> BoltStore:
    """An empty graph with its schema, on the embedded engine alone."""
    return empty(embedded_engine)
