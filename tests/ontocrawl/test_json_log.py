"""`--log-format json`: notes, errors, pages of a crawl and Python's logging as lines of JSON on stderr."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli import output
from ontocrawl.cli.output import _JsonLog
from ontocrawl.runs import runs
from tests.ontocrawl.conftest import Command, CommandResult

CRAWL = ("crawl", "run", "--world", "synthetic:planted?pages=300&seed=0", "--strategy", "breadth_first", "--no-graph")


@pytest.fixture
def mine(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


@pytest.fixture(autouse=True)
def _text_again(command: Command) -> Iterator[None]:
    yield
    command("--log-format", "text", "topic", "list")
    assert output.stderr.log is None and not any(isinstance(one, _JsonLog) for one in logging.getLogger().handlers)


def lines(result: CommandResult) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.err.splitlines()]


def test_each_page_of_a_crawl_is_a_line_with_run_and_url(command: Command, mine: Workspace) -> None:
    asked = (*CRAWL, "--run", "mine", "--limit-pages", "12", "--workspace", mine.root)
    found = command("--log-format", "json", *asked, "--json")
    assert found.code == 0 and found.json["fetched"] == 12  # stdout is as ever
    log = lines(found)
    pages = [line for line in log if line["message"] in ("page", "failure")]
    with runs.open_journal(mine, "mine") as journal:
        urls = [journal.urls_of([event.link])[0] for event in journal.events_of("outcome")]
    assert [line["url"] for line in pages] == urls
    assert all(line["run"] == "mine" and datetime.fromisoformat(line["time"]).tzinfo is not None for line in pages)
    good = [line for line in pages if line["message"] == "page"]
    assert len(good) == 12 and all(line["status"] == 200 and line["level"] == "info" for line in good)
    assert sum(line["relevant"] for line in good) == found.json["relevant"]
    assert all(line["level"] == "warning" and line["reason"] for line in pages if line["message"] == "failure")


def test_errors_and_notes_are_lines(command: Command, mine: Workspace) -> None:
    failed = command("--log-format", "json", "crawl", "status", "none", "--workspace", mine.root)
    (line,) = lines(failed)
    assert failed.code == 2 and line["level"] == "error" and "there is no run 'none'" in line["message"]
    wrong = command("--log-format", "json", "crawl", "status", "--no-such-option")
    assert wrong.code == 2 and lines(wrong)[0]["level"] == "error"
    made = command("--log-format", "json", "init", mine.root.parent / "other")
    assert made.code == 0 and lines(made)[0]["message"].startswith("created")
    assert not command("init", mine.root.parent / "third").err.startswith("{")


def test_the_logging_of_libraries_is_part_of_it(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    command("--log-format", "json", "topic", "list")
    bad = ValueError("bad\u202eword")
    logging.getLogger("some.library").error("it failed at %s", "\x1b[31mred", exc_info=bad)
    (line,) = [json.loads(text) for text in capsys.readouterr().err.splitlines()]
    assert (line["level"], line["logger"], line["message"]) == ("error", "some.library", "it failed at \x1b[31mred")
    assert line["error"].startswith("ValueError")


def test_control_characters_are_escaped(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    command("--log-format", "json", "topic", "list")
    capsys.readouterr()
    output.note("a\x1b[31mb\n{}")
    text = capsys.readouterr().err
    assert text.count("\n") == 1 and "\x1b" not in text and json.loads(text)["message"] == "a\x1b[31mb\n{}"
