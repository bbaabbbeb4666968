"""`archive score`: rows of pages, links and failures, the same from any number of processes, whatever is killed."""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from crawler.fetching.fetch import Fetched
from crawler.model import Response
from crawler.pages.page import Extras, page_record
from crawler.pages.text_figures import page_relevance
from crawler.scoring.relevance import relevance
from crawler.scoring.statistics import Statistics
from crawler.text import Matcher
from ontocrawl.archives.java import SparkError, check_java
from ontocrawl.archives.pages import parts_of
from ontocrawl.errors import CommandError, UsageError
from tests.crawler.warcs import http, record, response, write
from tests.ontocrawl.archives import small_archive
from tests.ontocrawl.archives.small_archive import TK, files, run, tables
from tests.ontocrawl.conftest import Command

ROBUSTNESS = Path(__file__).parents[4] / "shared" / "data" / "robustness" / "warc"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_archive.make(tmp_path_factory.mktemp("archive") / "warc")


@pytest.fixture(scope="module")
def out(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables by one process."""
    folder = tmp_path_factory.mktemp("out") / "tables"
    done = run(archive, folder)
    assert (done.records, done.pages, done.failed, done.spark_application) == (71, 62, 9, None)
    return folder


def test_every_record_is_a_page_or_a_failure_with_its_reason(out: Path) -> None:
    failures = tables(out)["failures.parquet"].to_pylist()
    assert [(row["url"].removeprefix("http://b.example/"), row["reason"]) for row in failures] == [
        ("gone.html", "http_404"), ("dns:b.example", "not_http"), ("again.html", "revisit"),
        ("large.html", "too_large"),
        ("robots.txt", "robots_file"), ("photo", "not_html"), ("", "bad_header"), ("", "bad_gzip"), ("", "cut_off"),
    ]  # fmt: skip
    assert all(row["detail"] for row in failures)


def test_the_rows_of_a_page(out: Path) -> None:
    found = tables(out)
    rows = {row["url"]: row for row in found["pages.parquet"].to_pylist()}
    chinese = rows["http://b.example/zh.html"]
    assert (chinese["file"], chinese["offset"], chinese["skip"]) == ("b.warc.gz", 0, 0)
    assert (chinese["title"], chinese["language"], chinese["published"]) == ("暴雨预警", "zh", "2021-07-20")
    assert chinese["fetched"] == "2020-01-02T03:04:05Z" and chinese["links"] == 1
    assert [(row["label"], row["slot"], row["count"]) for row in chinese["counts"]] == [
        ("暴雨", "title", 1), ("暴雨", "p", 1), ("暴雨", "other/a", 1),
    ]  # fmt: skip
    assert rows["http://a.example/0.html"]["language"] == "en"
    links = [row for row in found["links.parquet"].to_pylist() if row["url"] == "http://a.example/7.html"]
    assert [(row["position"], row["target"], row["anchor"]) for row in links] == [
        (0, "http://a.example/8.html", "page 8"), (1, "http://a.example/9.html", "page 9"),
    ]  # fmt: skip


def test_the_relevance_is_that_of_a_crawl_with_the_statistics_of_the_archive(out: Path) -> None:
    rows = tables(out)["pages.parquet"].to_pylist()
    bodies = {f"http://a.example/{n}.html": small_archive.page(n) for n in range(60)}
    bodies |= {"http://b.example/zh.html": small_archive.CHINESE, "http://b.example/en.html": small_archive.page(4)}
    matcher, statistics, records = Matcher((TK,)), Statistics({"TK": TK}), {}
    for url, body in bodies.items():
        response_ = Response(url, 200, {"content-type": "text/html"}, body)
        records[url] = page_record(url, Fetched(response_, url), matcher, Extras(words=True))
        totals = records[url].words
        assert totals is not None
        statistics.add(records[url].counts, totals.words)
    judge = relevance("evidence")
    expected = {url: page_relevance(judge, TK, found, statistics, matcher) for url, found in records.items()}
    assert {row["url"]: row["relevance"] for row in rows} == expected
    assert {row["relevant"] for row in rows} == {True, False}
    assert all(row["relevant"] == (row["relevance"] > 0.2) for row in rows)


@pytest.mark.slow
def test_two_processes_write_the_same_bytes_and_a_killed_one_changes_nothing(
    archive: Path, out: Path, tmp_path: Path
) -> None:
    killed: list[int] = []

    def kill(step: str, done: int, parts: int) -> None:
        children = multiprocessing.active_children()
        if done >= 1 and children and not killed:
            victim = children[0].pid
            assert victim is not None
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    done = run(archive, tmp_path / "tables", jobs=2, on_progress=kill)
    assert killed and files(tmp_path / "tables") == files(out)
    assert done.pages == 62 and not (tmp_path / "tables.unfinished").exists()


@pytest.mark.slow
def test_an_interrupted_command_repeats_no_finished_part(archive: Path, out: Path, tmp_path: Path) -> None:
    target, work = tmp_path / "tables", tmp_path / "tables.unfinished"
    seen: list[tuple[str, int]] = []

    def stop_at(step: str, number: int) -> None:
        def interrupt(at: str, done: int, parts: int) -> None:
            seen.append((at, done))
            if (at, done) == (step, number):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            run(archive, target, on_progress=interrupt)

    stop_at("reading", 3)
    assert not target.exists() and len(list((work / "done").iterdir())) == 3
    (work / "links.parquet" / ".part-00003.parquet.half").write_bytes(b"half")  # of a process that was killed
    stamps = {path: path.stat().st_mtime_ns for path in work.rglob("part-*")}
    seen.clear()
    stop_at("scoring", 2)
    assert seen[0] == ("reading", 3) and not target.exists()
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items())
    run(archive, target)
    assert files(target) == files(out) and not work.exists()


def test_a_finished_folder_is_left_as_it_is_and_another_request_is_refused(
    archive: Path, out: Path, tmp_path: Path
) -> None:
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    assert run(archive, out, part_bytes=1000).pages == 62
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before
    with pytest.raises(UsageError, match="another archive, topic or setting"):
        run(archive, out, max_bytes=2_000_000)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x")
    with pytest.raises(UsageError, match="no tables of an archive"):
        run(archive, tmp_path / "mine")


@pytest.mark.slow
def test_two_commands_cannot_write_one_folder(archive: Path, tmp_path: Path) -> None:
    def again(step: str, done: int, parts: int) -> None:
        with pytest.raises(CommandError, match="another command is writing"):
            run(archive, tmp_path / "tables")

    assert run(archive, tmp_path / "tables", on_progress=again).pages == 62


def test_a_plain_file_is_divided_at_its_records_not_at_what_looks_like_one(tmp_path: Path) -> None:
    about = b"<pre>\r\n" + response("http://a.example/quoted", b"<p>quoted")
    records = [response(f"http://a.example/{n}", about) for n in range(9)]
    write(tmp_path / "x.warc", *records, packed=False)
    assert len(parts_of(tmp_path, 400)) == 9
    run(tmp_path / "x.warc", tmp_path / "one", part_bytes=10**9)
    run(tmp_path / "x.warc", tmp_path / "many", part_bytes=400)
    one, many = tables(tmp_path / "one"), tables(tmp_path / "many")
    assert one == many and one["pages.parquet"].num_rows == 9


def test_a_record_of_two_gigabytes_is_a_failure_and_is_not_read_into_memory(tmp_path: Path) -> None:
    huge = 2 * 10**9
    head = record("response", "http://a.example/huge", http(b"<p>"), length=huge).rstrip()
    after = b"\r\n\r\n" + response("http://a.example/after")
    with (tmp_path / "x.warc").open("wb") as stream:
        stream.write(head)
        stream.truncate(len(head) + huge - len(http(b"<p>")))  # a hole, which needs no room
        stream.seek(0, 2)
        stream.write(after)
    run(tmp_path / "x.warc", tmp_path / "tables", part_bytes=10**10)
    found = tables(tmp_path / "tables")
    assert found["failures.parquet"]["reason"].to_pylist() == ["too_large"]
    assert found["pages.parquet"]["url"].to_pylist() == ["http://a.example/after"]


def test_files_of_other_programs(tmp_path: Path, command: Command) -> None:
    if not ROBUSTNESS.is_dir():
        pytest.skip("../shared/data/robustness is not there")
    result = command(
        "archive", "score", ROBUSTNESS, "--topic", "rainstorm", "--out", tmp_path / "t", "--jobs", "1", "--json"
    )
    assert result.code == 0
    assert {**result.json, "seconds": 0, "out": ""} == {
        "out": "", "records": 21, "pages": 7, "failed": 14, "seconds": 0, "spark_application": None,
    }  # fmt: skip
    reasons = tables(tmp_path / "t")["failures.parquet"]["reason"].to_pylist()
    assert {"arc_format", "bad_length", "empty", "not_http", "revisit"} == {*reasons}  # JSON without addresses


def test_a_file_whose_name_is_no_utf_8(tmp_path: Path) -> None:
    archive = tmp_path / "warc"
    archive.mkdir()
    try:
        write(archive / "\udcb1.warc.gz", response("http://a.example/"))
    except OSError:
        pytest.skip("the file system has names in UTF-8 only")
    run(archive, tmp_path / "tables")
    assert tables(tmp_path / "tables")["pages.parquet"]["file"].to_pylist() == ["?.warc.gz"]


def test_an_empty_archive_and_a_missing_one_are_errors(tmp_path: Path, command: Command) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        result = command("archive", "score", folder, "--topic", "rainstorm", "--out", tmp_path / "t")
        assert result.code == 2 and "WARC files" in result.err


@pytest.mark.parametrize(
    ("told", "said"), [('openjdk version "11.0.2"', "version 11"), ("no such thing", "no such thing")]
)
def test_a_java_that_is_too_old_is_named(told: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho '{told}' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SparkError, match=f"Java 17 or newer.*{said}") as caught:
        check_java()
    assert caught.value.code == 4


def test_a_missing_java_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SparkError, match="which has no bin/java"):
        check_java()
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SparkError, match="no java in PATH"):
        check_java()


def test_spark_that_is_not_installed_is_named(archive: Path, tmp_path: Path, command: Command) -> None:
    if importlib.util.find_spec("pyspark"):
        pytest.skip("pyspark is installed")
    result = command(
        "archive", "score", archive, "--topic", "rainstorm", "--out", tmp_path / "t", "--spark", "local[1]"
    )
    assert result.code == 4 and "pip install 'ontocrawl[spark]'" in result.err


def test_a_file_and_a_folder_of_somebody_else_are_left_alone(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="file exists and has no tables of an archive"):
        run(archive, tmp_path / "file")
    mine = tmp_path / "tables.unfinished" / "mine.txt"
    mine.parent.mkdir()
    mine.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="has other files, and would be used"):
        run(archive, tmp_path / "tables")
    assert mine.read_text(encoding="utf-8") == "mine" and not (tmp_path / "tables").exists()
    with pytest.raises(CommandError, match="cannot be made"):
        run(archive, tmp_path / "file" / "tables")
