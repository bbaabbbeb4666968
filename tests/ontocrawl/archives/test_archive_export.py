"""`archive export`: the CSV that neo4j-admin imports is the graph that `archive load` makes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from kg import crawl_csv, export
from kg.bolt import BoltStore
from kg.interchange import admin_csv, hashed_rows
from kg.interchange.elements import Edge, InterchangeError, Node
from kg.project import ProjectError
from kg.records import CrawlRow, LinkRow, OutcomeRow
from ontocrawl.archives import exporting, loading, tables
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from tests.conftest import empty
from tests.kg import neo4j_server
from tests.kg.test_export import admin_import
from tests.ontocrawl.conftest import Command

RUN = "archive-to-import"
RANKS = ("pagerank", "authority", "hub")
Elements = dict[tuple[str, ...], dict[str, Any]]


def elements(rows: Iterable[Node | Edge]) -> Elements:
    """Properties of each element by its name and keys; a key that occurs twice fails."""
    found: Elements = {}
    for row in rows:
        key = (row.label, row.key) if isinstance(row, Node) else (row.type, row.source, row.target)
        assert key not in found, key
        found[key] = dict(row.props)
    return found


def in_graph(store: BoltStore, folder: Path) -> Elements:
    """All that a graph has."""
    export.export_graph(store, "csv", folder)
    return elements(admin_csv.read(folder))


def assert_same(found: Elements, expected: Elements) -> None:
    """The same elements and values; the ranks, which are sums in another order, to 12 digits."""
    assert found.keys() ^ expected.keys() == set()
    for key, props in expected.items():
        ranks = {name: props[name] for name in RANKS if name in props}
        assert {name: found[key].get(name) for name in ranks} == pytest.approx(ranks, rel=1e-12, abs=1e-15), key
        assert {**found[key], **ranks} == props, key


@pytest.fixture(scope="module")
def loaded(
    scored: Path, embedded_engine: BoltStore, space: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> Elements:
    """The graph that `archive load` makes."""
    graph = empty(embedded_engine)
    loading.load(space, scored, RUN, graph)
    return in_graph(graph, tmp_path_factory.mktemp("loaded") / "csv")


def test_the_folder_is_the_graph_that_load_makes(scored: Path, loaded: Elements, tmp_path: Path) -> None:
    done = exporting.export(scored, tmp_path / "csv", RUN)
    found = elements(admin_csv.read(tmp_path / "csv"))
    assert_same(found, loaded)
    assert {key[0] for key in found} == {"Crawl", "Page", "Host", "FETCHED", "ON_HOST", "LINKS_TO", "LED_TO"} | (
        {"LINKS_TO_HOST", "Sentence", "ON_PAGE"}
    )
    nodes = [key for key in found if len(key) == 2]
    assert (done.nodes, done.relationships) == (len(nodes), len(found) - len(nodes))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["csv"]


def test_without_figures_all_else_is_the_same(scored: Path, loaded: Elements, tmp_path: Path, command: Command) -> None:
    out = tmp_path / "csv"
    result = command("archive", "export", scored, "--out", out, "--run", RUN, "--no-figures", "--json")
    assert result.code == 0, result.err
    told = json.loads(result.out)
    assert (told["pages"], told["links"], told["hosts"], told["figures"]) == (3, 4, 2, False)
    left_out = {*crawl_csv.FIGURES, "link_figures", "modularity", "community_links"}
    assert elements(admin_csv.read(out)) == {
        key: {name: value for name, value in props.items() if name not in left_out}
        for key, props in loaded.items()
        if key[0] != "LINKS_TO_HOST"
    }


@pytest.mark.slow
@pytest.mark.neo4j
def test_neo4j_admin_imports_the_folder(scored: Path, loaded: Elements, tmp_path: Path) -> None:
    """All comes over but the empty list of seeds: neo4j-admin has no word for it."""
    exporting.export(scored, tmp_path / "csv", RUN)
    server = neo4j_server.start(admin_import(tmp_path / "csv", tmp_path))
    try:
        with BoltStore(server.uri, server.auth) as neo4j:
            found = in_graph(neo4j, tmp_path / "again")
    finally:
        server.stop()
    found["Crawl", RUN]["seeds"] = []
    assert_same(found, loaded)


def test_an_export_is_whole_or_not_there(
    scored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    out, work = tmp_path / "csv", tmp_path / "csv.unfinished"
    exporting.export(scored, out, "first")
    before = {path.name: path.read_bytes() for path in out.iterdir()}

    def interrupt(what: str, done: int) -> None:
        if what == "links":
            assert (work / "FETCHED.csv").exists()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exporting.export(scored, out, "second", figures=False, on_progress=interrupt)
    assert not work.exists() and {path.name: path.read_bytes() for path in out.iterdir()} == before
    (work / "rows").mkdir(parents=True)  # what a killed command has left
    (work / "rows" / "order.jsonl").write_text("[")
    (work / ".Page.csv.abc").touch()
    exporting.export(scored, out, "second", figures=False)
    assert not work.exists() and ("Crawl", "second") in elements(admin_csv.read(out))
    work.mkdir()
    (work / "request.json").touch()
    with pytest.raises(UsageError, match=r"holds 'request\.json'"):
        exporting.export(scored, out, "third")
    assert (work / "request.json").exists()
    (out / "mine.txt").touch()
    result = command("archive", "export", scored, "--out", out, "--run", "x")
    assert result.code == 2 and "holds 'mine.txt', which is no part of an export" in result.err
    result = command("archive", "export", tmp_path, "--out", tmp_path / "new", "--run", "x")
    assert result.code == 2 and "has no tables of an archive" in result.err


def outcome(step: int, url: str) -> OutcomeRow:
    return OutcomeRow(step, url, "a.cn", 200, url, "", None, None, "", 0.5, True, None, None, None, "{}")


def test_the_first_link_to_a_page_leads_there_whatever_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links back and to the page itself lead nowhere, and rows in many small files are put together as in one."""
    urls = [f"http://a.cn/{number}" for number in range(40)]
    links = [
        LinkRow(urls[source], urls[target], "a.cn", "x", None)
        for source in range(20)
        for target in ((source * 7 + 3) % 40, source, (source * 3 + 1) % 40, 0, (source * 7 + 3) % 40)
    ]
    crawl, pages = CrawlRow("r", "s", "t", "w", "2020"), [outcome(step + 1, urls[step]) for step in range(20)]
    expected, shown = set(), set()
    for link in links:
        source, target = urls.index(link.source), urls.index(link.target)
        if target not in shown and (target >= 20 or target > source):
            shown.add(target)
            expected.add((link.source, link.target))
    for folder, rows, recent in (("one", 1, 200_000), ("many", 1_000_000, 3)):
        monkeypatch.setattr(crawl_csv, "_RECENT", recent)
        (tmp_path / folder).mkdir()
        crawl_csv.write_crawl(tmp_path / folder, crawl, pages, links, rows=rows)
        found = elements(admin_csv.read(tmp_path / folder))
        assert {key[1:] for key in found if key[0] == "LED_TO"} == expected
        assert sum(key[0] == "Page" for key in found) == len({*urls[:20], *(link.target for link in links)})
        assert sum(key[0] == "Host" for key in found) == 1
    (tmp_path / "wrong").mkdir()
    with pytest.raises(ProjectError, match="not in the order of the pages"):
        crawl_csv.write_crawl(tmp_path / "wrong", crawl, pages[::-1], links, rows=1)


def test_rows_in_files_are_those_that_were_put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashed_rows, "_BUFFERED", 50)
    rows = hashed_rows.HashedRows(tmp_path / "rows", 7)
    for number in range(300):
        rows.put(f"暴雨\n{number % 90}", number)
    files = [list(file) for file in rows.files()]
    file_of = {row[0]: place for place, file in enumerate(files) for row in file}
    assert len(files) == 7 and len(set(file_of.values())) == 7 and len(file_of) == 90
    for place, file in enumerate(files):
        assert all(file_of[key] == place for key, _ in file)
        assert [number for _, number in file] == sorted(number for _, number in file)
    assert sorted(number for file in files for _, number in file) == list(range(300))
    assert not list((tmp_path / "rows").iterdir())


def test_an_archive_is_no_graph_with_figures_of_another(scored: Path, tmp_path: Path) -> None:
    """A value that the columns do not have is an error, not a loss."""
    with admin_csv.opened(tmp_path, "Page", {}) as put, pytest.raises(InterchangeError, match="Page has no column"):
        put(Node("Page", "http://a/", {"x": 1}))
    assert tables.opened(scored).count("pages.parquet") == 5
