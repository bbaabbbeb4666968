"""`archive rank` and `archive load`: the link graph of a scored archive, by hand and in the graph."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kg.engine.files import FileLock
from kg.ranking.pagerank import pagerank
from ontocrawl.archives import loading, ranking, tables
from ontocrawl.archives.tables import _UrlNumbers
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store
from tests.crawler.warcs import response, write
from tests.ontocrawl.archives import small_archive
from tests.ontocrawl.archives.conftest import PAGES
from tests.ontocrawl.conftest import Command


def test_a_page_is_its_newest_record_and_counts_once_where_it_is_nearly_another(scored: Path) -> None:
    found = list(tables.opened(scored).pages("url", "title"))
    assert [(page["url"], page["title"], page["near_duplicate_of"]) for page in found] == [
        ("http://a.example/1", "one", None),
        ("http://a.example/2", "new", None),
        ("http://b.example/copy", "copy", "http://a.example/1"),
    ]


def test_the_ranks_are_those_of_the_links_of_the_newest_records(scored: Path) -> None:
    done = ranking.rank(scored)
    rows = pq.read_table(scored / "ranks.parquet").to_pylist()
    urls = [row["url"].removeprefix("http://") for row in rows]
    assert urls == ["a.example/1", "a.example/2", "b.example/copy", "a.example/3", "a.example/4"]
    assert [row["page"] for row in rows] == [True, True, True, False, False]
    assert [row["in_links"] for row in rows] == [0, 2, 0, 1, 1] and [row["out_links"] for row in rows] == [
        2,
        1,
        1,
        0,
        0,
    ]
    expected = pagerank(5, [0, 0, 1, 2], [1, 3, 4, 1]).values
    assert np.allclose([row["pagerank"] for row in rows], expected)
    assert (done.nodes, done.pages, done.links) == (5, 3, 4)


@pytest.mark.slow
def test_the_graph_gets_the_same_pages_links_and_ranks_however_often(scored: Path, space: Workspace) -> None:
    query = (
        "MATCH (c:Crawl {id: 'archive-of-links'})-[f:FETCHED]->(p:Page) "
        "RETURN p.url AS url, f.title AS title, f.relevant AS relevant, f.near_duplicate_of AS first, "
        "f.pagerank AS pagerank, c.topic AS topic, c.started AS started ORDER BY f.step"
    )
    with graph_store.store(space) as graph:
        for _ in range(2):
            report = loading.load(space, scored, "archive-of-links", graph)
            assert (report.pages, report.links, report.hosts) == (3, 4, 2)
        rows = graph.read(query)
    assert [(row["title"], row["first"]) for row in rows] == [
        ("one", None), ("new", None), ("copy", "http://a.example/1"),
    ]  # fmt: skip
    assert rows[0]["relevant"] is True and rows[2]["relevant"] is None
    assert {row["topic"] for row in rows} == {"rain"} and rows[0]["started"] == "2020-01-02T03:04:05Z"
    ranked = {row["url"]: row["pagerank"] for row in pq.read_table(ranking.rank(scored).out).to_pylist()}
    assert np.allclose([row["pagerank"] for row in rows], [ranked[row["url"]] for row in rows])


@pytest.mark.slow
def test_a_folder_without_tables_and_the_name_of_a_run_are_refused(
    scored: Path, space: Workspace, tmp_path: Path, command: Command
) -> None:
    for verb in ("rank", "load"):
        more = ("--run", "x") if verb == "load" else ()
        result = command("archive", verb, tmp_path, *more)
        assert result.code == 2 and "has no tables of an archive" in result.err, result.err
    (space.runs / "a-run-of-archive-links").mkdir(parents=True)
    (space.runs / "a-run-of-archive-links" / "journal.sqlite").touch()
    try:
        with graph_store.store(space) as graph, pytest.raises(UsageError, match="is a run of this workspace"):
            loading.load(space, scored, "a-run-of-archive-links", graph)
    finally:
        (space.runs / "a-run-of-archive-links" / "journal.sqlite").unlink()
        (space.runs / "a-run-of-archive-links").rmdir()


def test_an_archive_without_pages_has_no_ranks(tmp_path: Path) -> None:
    (tmp_path / "warc").mkdir()
    write(tmp_path / "warc" / "a.warc.gz", response("http://a.example/robots.txt", b"User-agent: *"))
    small_archive.run(tmp_path / "warc", tmp_path / "scored")
    done = ranking.rank(tmp_path / "scored")
    assert (done.nodes, done.links) == (0, 0) and pq.read_table(done.out).num_rows == 0


def test_links_that_do_not_fit_into_memory_are_refused_before_they_are_read_all(
    scored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    (before := scored / "ranks.parquet").unlink(missing_ok=True)
    bytes_needed = tables.needed(5, sum(len(url) for url in (*PAGES, "http://a.example/3", "http://a.example/4")), 6)
    monkeypatch.setattr(tables, "_free", lambda: bytes_needed - 1)
    result = command("archive", "rank", scored)
    assert result.code == 1 and "links need 0.2 GB of memory, and 0.2 GB are free: use a machine" in result.err
    result = command("archive", "export", scored, "--out", tmp_path / "csv", "--run", "x")
    assert result.code == 1 and "leave them out by --no-figures" in result.err and not [*tmp_path.iterdir()]
    assert not before.exists()
    monkeypatch.setattr(tables, "_free", lambda: bytes_needed)
    assert ranking.rank(scored).links == 4


def test_what_is_free_is_that_of_the_machine_or_of_its_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(tables, "_GROUP", tmp_path)
    assert tables._free() is None
    (tmp_path / "meminfo").write_text("MemTotal:  9000 kB\nMemAvailable:  4000 kB\n")
    assert tables._free() == 4_096_000
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("1000\n")
    assert tables._free() == 4_096_000
    (tmp_path / "memory.max").write_text("3000\n")
    assert tables._free() == 2_000


def test_urls_are_numbered_as_a_dictionary_would() -> None:
    rng, numbers, expected = np.random.default_rng(1), _UrlNumbers(), dict[str, int]()
    for _ in range(30):
        urls = [f"http://暴雨.example/{number}" for number in rng.integers(0, 2_000, 150)]
        found = numbers.of(pa.array(urls)).tolist()
        assert found == [expected.setdefault(url, len(expected)) for url in urls]
    assert numbers.urls().to_pylist() == list(expected) and len(numbers) == len(expected)
    assert numbers.text_bytes == sum(len(url.encode()) for url in expected)
    assert numbers.of(pa.array([], pa.string())).tolist() == []


def test_a_damaged_table_is_a_file_that_cannot_be_read(scored: Path, tmp_path: Path, command: Command) -> None:
    shutil.copytree(scored, tmp_path / "scored")
    part = min((tmp_path / "scored" / "links.parquet").iterdir())
    part.write_bytes(part.read_bytes()[:-20])
    for arguments in (("rank",), ("export", "--run", "x", "--no-figures", "--out", tmp_path / "csv")):
        result = command("archive", arguments[0], tmp_path / "scored", *arguments[1:])
        assert result.code == 2 and f"{part} cannot be read" in result.err and "archive score" in result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scored"]


def test_two_commands_do_not_load_or_export_at_once(scored: Path, tmp_path: Path, command: Command) -> None:
    """A folder that is in use is a failure, as a run that is being crawled is: the same command works later."""
    lock = FileLock(tmp_path / "csv.unfinished" / ".lock")
    lock.path.parent.mkdir()
    assert lock.try_acquire()
    try:
        result = command("archive", "export", scored, "--out", tmp_path / "csv", "--run", "x")
        assert result.code == 1 and "another command is writing" in result.err
        assert lock.path.exists()
    finally:
        lock.release()
