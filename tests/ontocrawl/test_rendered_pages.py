"""A crawl over a site whose pages scripts make: rendered, counted, recorded, and replayed without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crawler.worlds import chromium
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import crawl_setup
from tests.crawler.script_site import SITE, require_browser, serving
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.test_attachments import events_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def resolve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with serving() as site:
        table = tmp_path_factory.mktemp("resolve") / "hosts.txt"
        table.write_text("".join(f"{name}={address}\n" for name, address in site.resolve.items()), encoding="utf-8")
        yield table


def crawl(command: Command, space: Workspace, run: str, *options: str | Path) -> Any:
    asked = ["--topic", "rainstorm", "--strategy", "breadth_first", "--in-flight", "1", "--no-politeness", "--no-graph"]
    asked += ["--limit-pages", "12"]
    return command("crawl", "run", "--run", run, *asked, "--seeds", f"{SITE}/", *options, "--workspace", space.root)


def test_a_crawl_renders_what_needs_a_browser_and_a_replay_needs_none(
    command: Command, space: Workspace, resolve: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_browser()
    printed = crawl(command, space, "rendered", "--resolve", resolve, "--warc", tmp_path / "warc").out
    assert "Pages in a browser" in printed and "why: challenge" in printed
    where = ("--workspace", space.root)
    found = command("crawl", "status", "rendered", *where, "--json").json
    rendered = found["rendered"]
    assert (rendered["pages"], rendered["why"], rendered["failed"]) == (5, {"shell": 4, "challenge": 1}, {})
    assert rendered["requests"] == 10 and rendered["seconds"] > 0 and rendered["bytes"] > 0
    assert found["fetched"] == 12 and "challenge" not in found["ledger"]
    explained = command("crawl", "explain", "rendered", f"{SITE}/listed/", *where, "--json").json
    assert any("was rendered in a browser (shell)" in note for note in explained["notes"])

    monkeypatch.setattr(chromium, "program", lambda: None)
    crawl(command, space, "replayed", "--world", f"archive:{tmp_path / 'warc'}")
    assert events_of(space, "replayed") == events_of(space, "rendered")


def test_without_a_browser_a_crawl_says_how_to_get_one(
    command: Command, space: Workspace, resolve: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chromium, "program", lambda: None)
    monkeypatch.setattr(crawl_setup, "program", lambda: None)
    printed = crawl(command, space, "marked", "--resolve", resolve).out
    assert "6 pages that need a browser were taken as they came" in printed and "ontocrawl[browser]" in printed
    status = command("crawl", "status", "marked", "--workspace", space.root, "--json").json
    assert status["rendered"]["failed"] == {"no_browser": 6}
    refused = command("crawl", "run", "--seeds", SITE, "--render", "scripts.example", "--workspace", space.root)
    assert refused.code == 2 and "ontocrawl[browser]" in refused.err
    off = crawl(command, space, "off", "--resolve", resolve, "--no-browser")
    assert "Pages in a browser" not in off.out
