"""`crawl export`: every row of a run in each format, read back by the programs that users have."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sqlite3
import sys
import tracemalloc
import zlib
from collections import deque
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import ontocrawl
from crawler.journal import page_export
from ontocrawl import exceptions
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.cli.crawl_export import PageFormat
from ontocrawl.runs import page_files, runs
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.test_journal_of_version_1 import old  # noqa: F401 - a fixture

HOSTILE = {
    "title": '=HYPERLINK("http://evil.example";"暴雨")',
    "text": '"quoted", 暴雨\r\nsecond\tline\x1b[2J\u202egnp.exe\x00\u2028end',
}


@pytest.fixture
def hostile(command: Command, space: Workspace, tmp_path: Path) -> tuple[Workspace, str]:
    """A run whose second page has a title and a text made to break readers."""
    name = f"hostile-{tmp_path.name}"
    crawled = command(
        "crawl", "run", "--world", "synthetic:planted?pages=600&seed=0", "--strategy", "breadth_first", "--no-graph",
        "--limit-pages", "80", "--run", name, "--workspace", space.root,
    )  # fmt: skip
    assert crawled.code == 0
    with closing(sqlite3.connect(space.runs / name / JOURNAL)) as db, db:
        text = zlib.compress(HOSTILE["text"].encode())
        (seq,) = db.execute("SELECT seq FROM page WHERE failure IS NULL ORDER BY seq LIMIT 1 OFFSET 1").fetchone()
        db.execute("UPDATE page SET title = ?, text = ? WHERE seq = ?", (HOSTILE["title"], text, seq))
        db.execute("UPDATE link SET anchor = '=1+1' WHERE seq = ?", (seq,))
    return space, name


def rows_of(space: Workspace, name: str) -> list[dict[str, Any]]:
    with runs.open_journal(space, name) as journal:
        return list(page_export.pages(journal, journal.get("labels")))


def test_json_lines_are_the_run(command: Command, hostile: tuple[Workspace, str], tmp_path: Path) -> None:
    space, name = hostile
    out = tmp_path / "new folder" / "pages.jsonl"
    found = command("crawl", "export", name, "--out", out, "--workspace", space.root, "--json")
    assert (found.code, found.json) == (
        0,
        {"path": str(out), "format": "jsonl", "rows": len(rows_of(*hostile)), "unrecorded": 0},
    )
    lines = out.read_text(encoding="utf-8").split("\n")
    assert lines.pop() == "" and lines == "\n".join(lines).splitlines()
    rows = [json.loads(line) for line in lines]
    assert rows == rows_of(space, name) and list(rows[0]) == list(page_export.COLUMNS)
    status = command("crawl", "status", name, "--workspace", space.root, "--json").json
    pages = [row for row in rows if row["failure"] is None]
    assert [row["step"] for row in rows] == list(range(1, len(rows) + 1))
    assert (len(pages), len(rows) - len(pages)) == (status["fetched"], status["failures"]) and status["failures"]
    assert sum(bool(row["relevant"]) for row in pages) == status["relevant"]
    assert sum(row["label"] for row in pages) == status["relevant_by_label"]
    assert [row["url"] for row in pages] == [
        page["url"] for page in command("crawl", "pages", name, "--workspace", space.root, "--json").json["pages"]
    ]
    failed = [row for row in rows if row["failure"]]
    assert all(
        row["reason"] == row["failure"] and not row["links"] and not row["text"] and row["label"] is None
        for row in failed
    )
    assert pages[1]["title"] == HOSTILE["title"]
    assert {"url", "anchor", "reason", "relevance", "kind"} == set(pages[0]["links"][0])
    assert "admitted" in {link["reason"] for row in pages for link in row["links"]}
    assert {"href", "reason"} == set(next(row["skipped"] for row in pages if row["skipped"])[0])


def test_no_character_of_a_page_reaches_the_terminal_as_it_is(command: Command, hostile: tuple[Workspace, str]) -> None:
    space, name = hostile
    for form in set(PageFormat) - {PageFormat.WARC}:  # which is compressed
        shown = command("crawl", "export", name, "--out", "-", "--format", form, "--workspace", space.root)
        assert shown.code == 0 and shown.err == ""
        assert not set("\x1b\u202e\x00\u2028\r") & set(shown.out), form
        assert "暴雨" in shown.out


def test_a_page_that_robots_must_not_use_has_no_text_and_a_copy_names_the_first(
    command: Command, hostile: tuple[Workspace, str], tmp_path: Path
) -> None:
    space, name = hostile
    with closing(sqlite3.connect(space.runs / name / JOURNAL)) as db, db:
        found = db.execute("SELECT seq FROM page WHERE failure IS NULL AND relevant ORDER BY seq LIMIT 2").fetchall()
        for (seq,), about in zip(found, ('{"noindex": true}', '{"near_duplicate_of": 0}'), strict=True):
            db.execute("UPDATE event SET data = json_patch(data, ?) WHERE seq = ?", (about, seq))
        urls = [url for (url,) in db.execute("SELECT url FROM url JOIN page ON link = id ORDER BY seq")]
    rows = {row["url"]: row for row in rows_of(space, name)}
    asks = next(row for row in rows.values() if row["reason"] == "noindex")
    copy = next(row for row in rows.values() if row["near_duplicate_of"])
    assert (asks["status"], asks["failure"], asks["text"]) == (200, "noindex", "") and asks["links"]
    assert copy["near_duplicate_of"] == urls[0] and copy["failure"] is None and copy["text"]
    for form in ("text", "warc"):
        shown = ontocrawl.Run(name, space.root).export(tmp_path / form, form).read_bytes()
        assert asks["url"].encode() not in (shown if form == "text" else gzip.decompress(shown)).splitlines()


def test_the_depth_is_that_of_the_way_on_which_a_page_was_found(space: Workspace, crawled: str) -> None:
    found: dict[str, int] = {}
    rows = rows_of(space, crawled)
    for row in rows:
        assert row["depth"] == found.setdefault(row["url"], 0)
        for link in row["links"]:
            found.setdefault(link["url"], row["depth"] + 1)
    assert {0, 1, 2} <= {row["depth"] for row in rows}


def test_pandas_reads_csv_as_it_is(command: Command, hostile: tuple[Workspace, str], tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    space, name = hostile
    out = tmp_path / "pages.csv"
    assert command("crawl", "export", name, "--out", out, "--workspace", space.root).code == 0
    rows = rows_of(space, name)
    frame = pandas.read_csv(out)
    assert tuple(frame.columns) == page_export.COLUMNS and len(frame) == len(rows)
    assert frame["step"].tolist() == [row["step"] for row in rows]
    assert [json.loads(cell) for cell in frame["links"]] == [row["links"] for row in rows]
    fetched = frame[frame["failure"].isna()]
    assert fetched["relevance"].tolist() == [row["relevance"] for row in rows if row["failure"] is None]
    assert fetched["title"].iloc[1] == "'" + HOSTILE["title"]
    assert fetched["text"].iloc[1].startswith('"quoted", 暴雨\nsecond\tline')
    lines = pandas.read_json(io.StringIO("\n".join(page_files.json_lines(rows))), lines=True)
    assert len(lines) == len(rows) and lines["url"].tolist() == frame["url"].tolist()


def test_csv_has_no_formula_and_reads_back(hostile: tuple[Workspace, str]) -> None:
    rows = rows_of(*hostile)
    csv.field_size_limit(sys.maxsize)
    read = list(csv.DictReader(io.StringIO("".join(page_files._csv_lines(rows)), newline="")))
    assert [record["url"] for record in read] == [row["url"] for row in rows]
    assert all(cell[:1] not in tuple("=+@\t\r") for record in read for cell in record.values() if cell)
    assert {record["relevant"] for record in read} == {"true", "false", ""}


def test_text_is_one_page_after_another(command: Command, hostile: tuple[Workspace, str], tmp_path: Path) -> None:
    space, name = hostile
    out = tmp_path / "pages.txt"
    found = command("crawl", "export", name, "--out", out, "--workspace", space.root)
    pages = [row for row in rows_of(space, name) if row["failure"] is None]
    assert found.code == 0 and f"wrote {len(pages)} rows to {out}, as text" in found.err
    other = command("crawl", "export", name, "--out", tmp_path / "pages.parquet", "--workspace", space.root)
    assert other.code == 0 and other.err.endswith("pages.parquet, as jsonl\n")
    documents = out.read_text(encoding="utf-8").split("=" * 80 + "\n")[1:]
    assert len(documents) == len(pages)
    for document, page in zip(documents, pages, strict=True):
        lines = document.splitlines()
        assert lines[0].startswith(f"[{page['step']}] ") and lines[1] == page["url"]
        assert any(line.startswith(f"relevance {page['relevance']:.4f}, ") for line in lines[2:4])
    assert pages[2]["text"].split("\n")[-1] in documents[2]


def test_filters_and_links(command: Command, hostile: tuple[Workspace, str]) -> None:
    space, name = hostile

    def rows(*options: str) -> list[dict[str, Any]]:
        shown = command("crawl", "export", name, "--out", "-", *options, "--workspace", space.root)
        assert shown.code == 0, shown.err
        return [json.loads(line) for line in shown.out.splitlines()]

    every = rows()
    assert rows("--relevant") == [row for row in every if row["relevant"]] != []
    assert rows("--failed") == [row for row in every if row["failure"]] != []
    known = rows("--links")
    assert known[: len(every)] == every
    status = command("crawl", "status", name, "--workspace", space.root, "--json").json
    others = known[len(every) :]
    assert sum(row["reason"] == "queued" for row in others) == status["queued"] > 0
    assert not {row["url"] for row in others} & {row["url"] for row in every}
    assert all(row["status"] is None and row["links"] is None for row in others)


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (("nope", "--out", "x.jsonl"), 2, "there is no run 'nope'"),
        (("RUN", "--out", "x.jsonl", "--relevant", "--links"), 2, "--relevant leaves only pages, and --links"),
        (("RUN", "--out", "x.txt", "--failed"), 2, "the format text has pages only: --failed"),
        (("RUN", "--out", "x.warc", "--failed"), 2, "the format warc has pages only: --failed"),
        (("RUN", "--out", "x.WARC.gz", "--failed"), 2, "the format warc has pages only: --failed"),
        (("RUN", "--out", "x", "--format", "xml"), 2, "xml"),
        (("RUN", "--out", "-", "--json"), 2, "standard output"),
        (("RUN", "--out", "file/x.jsonl"), 1, "cannot be written"),
        (("RUN", "--out", "FOLDER"), 1, "it is a folder"),
        (("RUN", "--out", "FOLDER/journal.sqlite"), 2, "is in the folder of the run"),
    ],
)
def test_what_cannot_be_written_is_refused_and_leaves_files_alone(
    command: Command, space: Workspace, crawled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...], code: int, says: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    for name in ("x.jsonl", "file"):
        (tmp_path / name).write_text("kept")
    words = [word.replace("RUN", crawled).replace("FOLDER", str(space.run(crawled))) for word in options]
    found = command("crawl", "export", *words, "--workspace", space.root)
    assert found.code == code and says in found.err
    assert [(tmp_path / name).read_text() for name in ("x.jsonl", "file")] == ["kept", "kept"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "x.jsonl"]


def test_a_file_is_replaced_only_by_a_whole_one(
    space: Workspace, crawled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "pages.jsonl"
    out.write_text("kept")
    run = ontocrawl.Run(crawled, space.root)

    def breaks(journal: Any, *_: Any, **__: Any) -> Any:
        yield from deque(pages(journal), maxlen=5)
        raise OSError(28, "No space left on device", str(out))

    pages = page_export.pages
    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space left"):
        patch.setattr(page_export, "pages", breaks)
        run.export(out)
    assert out.read_text() == "kept" and list(tmp_path.iterdir()) == [out]
    assert run.export(out, relevant=True) == out
    assert len(out.read_text(encoding="utf-8").splitlines()) == run.result.end.relevant


def test_python_exports_as_the_command_does(command: Command, space: Workspace, crawled: str, tmp_path: Path) -> None:
    run = ontocrawl.Run(crawled, space.root)
    for form in ("jsonl", "csv", "text"):
        shown = command("crawl", "export", crawled, "--out", "-", "--format", form, "--workspace", space.root).out
        assert run.export(tmp_path / form, form).read_text(encoding="utf-8") == shown != ""
    assert [str(form) for form in PageFormat] == list(page_files.FORMATS)
    with pytest.raises(exceptions.UsageError, match="choose one of jsonl, csv, text, warc"):
        run.export(tmp_path / "x", "xml")
    with pytest.raises(exceptions.UsageError, match="relevant=True leaves only pages, and failed=True"):
        run.export(tmp_path / "x", relevant=True, failed=True)
    with pytest.raises(exceptions.WrongTypeError, match="format: expected text"):
        run.export(tmp_path / "x", 3)  # type: ignore[arg-type]


def test_a_run_of_version_1_is_exported(command: Command, old: Workspace) -> None:  # noqa: F811
    shown = command("crawl", "export", "old", "--out", "-", "--links", "--workspace", old.root)
    rows = [json.loads(line) for line in shown.out.splitlines()]
    assert [row["step"] for row in rows if row["step"]] == list(range(1, 11))
    assert sum(row["reason"] == "in_flight" for row in rows) == 1


@pytest.mark.slow
def test_memory_does_not_grow_with_the_pages(space: Workspace, crawled: str, tmp_path: Path) -> None:
    """The pages of a journal twice as long need about the same memory, which is far less than their size."""
    peaks, sizes = [], []
    for times in (20, 40):
        path = lengthened(space.run(crawled) / JOURNAL, tmp_path / f"{times}.sqlite", times)
        with closing(runs.Journal(path)) as journal:
            tracemalloc.start()
            sizes.append(sum(len(line) for line in page_files.json_lines(page_export.pages(journal))))
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    assert sizes[1] > 1.9 * sizes[0] and peaks[1] < 1.2 * peaks[0] and peaks[1] < sizes[1] / 3


def lengthened(path: Path, to: Path, times: int) -> Path:
    """A copy of a journal in which every event, with page and links, is there so many times."""
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(to)) as db, db:
        source.backup(db)
        (last,) = db.execute("SELECT max(seq) FROM event").fetchone()
        for table, columns in (("event", 3), ("page", 14), ("link", 9), ("skipped", 3)):
            names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")][1:]
            assert len(names) == columns
            for copy in range(1, times):
                db.execute(
                    f"INSERT INTO {table} SELECT seq + ?, {', '.join(names)} FROM {table} WHERE seq <= ?",
                    (copy * last, last),
                )
    return to
