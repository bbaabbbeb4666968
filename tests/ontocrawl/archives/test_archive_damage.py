"""Tables that are not whole, names that are taken, work of other versions: an error that says so, and nothing made."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ontocrawl.archives import exporting, loading, tables, work
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store
from tests.ontocrawl.archives import small_archive
from tests.ontocrawl.conftest import Command

RUN = "archive-that-is-damaged"
PART = "part-00000.parquet"


@pytest.fixture
def copy(scored: Path, tmp_path: Path) -> Path:
    """A copy of the tables, to damage."""
    return shutil.copytree(scored, tmp_path / "copy")


def edited(folder: Path, **changes: Any) -> None:
    """Change what the folder says of its tables."""
    path = folder / work.SCORES.summary
    made = json.loads(path.read_bytes())
    path.write_text(json.dumps({**made, "request": {**made["request"], **changes}}))


def _cut(folder: Path) -> None:
    path = folder / "texts.parquet" / PART
    path.write_bytes(path.read_bytes()[:-8])


def _other_columns(folder: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), folder / "links.parquet" / PART)


def _fewer_rows(folder: Path) -> None:
    path = folder / "texts.parquet" / PART
    pq.write_table(pq.read_table(path).slice(1), path)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda folder: shutil.rmtree(folder / "links.parquet"), "links.parquet cannot be read .it has other parts"),
        (lambda folder: shutil.rmtree(folder / "pages.parquet"), "other parts than pages.parquet"),
        (lambda folder: (folder / "texts.parquet" / PART).unlink(), "texts.parquet cannot be read"),
        (lambda folder: shutil.rmtree(folder / "failures.parquet"), None),  # it has no row
        (_fewer_rows, "texts.parquet cannot be read .it has 4 rows of 5"),
        (_cut, "texts.parquet.part-00000.parquet cannot be read"),
        (_other_columns, "links.parquet.part-00000.parquet cannot be read"),
    ],
)
def test_tables_that_are_not_whole_are_refused(
    copy: Path, tmp_path: Path, damage: Callable[[Path], None], said: str | None
) -> None:
    damage(copy)
    if said is None:
        assert tables.opened(copy).count("pages.parquet") == 5
        return
    with pytest.raises(UsageError, match=said):
        exporting.export(copy, tmp_path / "csv", RUN)
    assert not list(tmp_path.glob("csv*"))


@pytest.mark.parametrize("text", ["{", "[]", '{"request": 5}', "{}", '{"request": {}, "pages": 1, "failed": 0}'])
def test_a_damaged_summary_is_an_error_of_every_command(copy: Path, command: Command, text: str) -> None:
    (copy / work.SCORES.summary).write_text(text)
    for verb in (("rank",), ("terms",), ("export", "--out", copy.parent / "csv", "--run", RUN)):
        result = command("archive", verb[0], copy, *verb[1:])
        assert result.code == 2 and "score.json is damaged" in result.err, result.err


def test_tables_of_a_newer_form_are_refused_and_those_of_another_program_are_used(
    tmp_path: Path, command: Command
) -> None:
    archive = small_archive.make(tmp_path / "warc", 4)
    made = small_archive.run(archive, tmp_path / "t")
    edited(tmp_path / "t", program="0.9.0")
    assert small_archive.run(archive, tmp_path / "t") == made
    edited(tmp_path / "t", version=work.VERSION + 1)
    result = command("archive", "rank", tmp_path / "t")
    assert result.code == 2 and "were made by a newer ontocrawl" in result.err


def test_work_that_another_version_began_is_not_continued(tmp_path: Path) -> None:
    out = tmp_path / "t"
    for program in ("0.9.0", None):
        with work.begun(out, {**work.request(topic="rain"), **({"program": program} if program else {})}):
            pass
        if program:
            with (
                pytest.raises(UsageError, match=r"begun by version 0\.9\.0"),
                work.begun(out, work.request(topic="rain")),
            ):
                pass
            shutil.rmtree(tmp_path / "t.unfinished")


@pytest.mark.slow
def test_a_name_that_the_graph_has_otherwise_is_refused(
    scored: Path, copy: Path, space: Workspace, command: Command
) -> None:
    edited(copy, topic="snow")
    with graph_store.store(space) as graph:
        loading.load(space, scored, RUN, graph)
        with pytest.raises(UsageError, match=f"the graph has {RUN} already, by archive score on rain"):
            loading.load(space, copy, RUN, graph)
    web = ("--topic", "rainstorm", "--world", "synthetic:planted?pages=50", "--strategy", "breadth_first")
    try:
        crawl = command("crawl", "run", *web, "--limit-pages", "3", "--run", RUN, "--workspace", space.root)
        assert crawl.code == 4 and f"has a scored archive by the name {RUN}" in crawl.err.replace("\n", " "), crawl.err
    finally:
        shutil.rmtree(space.run(RUN))
        assert command("crawl", "remove", RUN, "--workspace", space.root).code == 0


def test_tables_in_the_workspace_are_found_where_it_is_moved(scored: Path, tmp_path: Path) -> None:
    space = Workspace(tmp_path, None)  # type: ignore[arg-type]
    inside = shutil.copytree(scored, tmp_path / "in" / "scored")
    assert space.relative(inside) == "in/scored"
    assert space.relative(scored) == str(scored.resolve())


@pytest.mark.parametrize("name", ["", "../../etc", "con"])
def test_an_export_needs_the_name_of_a_run(scored: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="is not a run's name"):
        exporting.export(scored, tmp_path / "csv", name)
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_cannot_start_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = small_archive.make(tmp_path / "warc", 4)
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(Exception, match=r"pyspark|Java|extra"):
        small_archive.run(archive, tmp_path / "t", spark="local[1]")
    assert [path.name for path in tmp_path.iterdir()] == ["warc"]


def test_the_reasons_of_failures_are_told(tmp_path: Path, command: Command, space: Workspace) -> None:
    (tmp_path / "no.warc").write_bytes(b"this is no archive\n")
    where = ("--topic", "rainstorm", "--out", tmp_path / "t", "--jobs", "1", "--workspace", space.root)
    result = command("archive", "score", tmp_path / "no.warc", *where)
    assert result.code == 0 and "records without a page: " in result.err
