"""Marks of runs and the bin, through a running explorer and in a real browser; and who may not change them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from ontocrawl.base import workspace
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.cli.main import invoke
from ontocrawl.explorer.app import Prepared
from ontocrawl.runs import removed_runs, run_files
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer import views
from tests.ontocrawl.explorer.chromium import opened
from tests.ontocrawl.explorer.conftest import reader, running

CHANGES = {
    "_mark": {"runs": ["one"], "tag": ["x"], "hidden": True}, "_bin": {"runs": ["one"]},
    "_restore": {"runs": ["gone"]}, "_delete": {"runs": ["gone"]},
}  # fmt: skip
"""End of each address that changes something -> what would be sent."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with two runs, and one in its bin; without a graph."""
    space = workspace.init(tmp_path_factory.mktemp("marks") / "ws")
    for name in ("one", "two", "gone"):
        asked = ("--world", "synthetic:planted?pages=300&seed=0", "--strategy", "breadth_first", "--limit-pages", "6")
        assert invoke(["crawl", "run", *asked, "--no-graph", "--run", name, "--workspace", str(space.root)]) == 0
    assert invoke(["crawl", "bin", "gone", "--workspace", str(space.root)]) == 0
    return space


@pytest.fixture
def place(made: Workspace, tmp_path: Path) -> Workspace:
    """A copy of it, which may be changed."""
    shutil.copytree(made.root, tmp_path / "ws")
    return workspace.find(tmp_path / "ws")[0]


@pytest.fixture
def server(place: Workspace) -> Iterator[Prepared]:
    with running(place) as found:
        yield found


def sent(server: Prepared, end: str, body: Any, status: int = 200) -> Any:
    answer = reader(server).post(f"{server.address.url}api/crawls/{end}", json=body, timeout=60)
    assert answer.status_code == status, answer.text
    return answer.json()


def got(server: Prepared, path: str, **given: str) -> requests.Response:
    return reader(server).get(server.address.url + path, params=given, timeout=60)


def test_a_program_marks_runs_as_the_command_does(server: Prepared, place: Workspace, command: Command) -> None:
    marked = sent(server, "_mark", {"runs": ["one", "two"], "tag": ["洪水"], "note": "first"})
    where = ("--workspace", place.root, "--json")
    assert marked == command("crawl", "mark", "one", "two", *where).json
    sent(server, "_mark", {"runs": ["two"], "untag": ["洪水"], "hidden": True})
    told = command("crawl", "status", *where).json
    answer = got(server, "api/crawls").json()
    assert answer == {"crawls": told["runs"], "hidden": told["hidden"], "bin": told["bin"]} and told["hidden"] == 1
    assert [one["run"] for one in got(server, "api/crawls", hidden="yes").json()["crawls"]] == ["one", "two"]
    assert [one["run"] for one in got(server, "api/crawls", hidden="yes", tag="洪水").json()["crawls"]] == ["one"]


def test_the_table_says_what_it_leaves_out_and_how_to_see_it(server: Prepared, place: Workspace) -> None:
    run_files.mark(place, ["two"], hidden=True)
    run_files.mark(place, ["one"], tag=["a.b"])
    for path in ("", "crawls"):
        page = got(server, path, lang="en").text
        assert "Hidden runs: 1" in page and 'href="?hidden=yes"' in page and "Runs in the bin: 1" in page
        assert '<a href="?tag=a.b">a.b</a>' in page and 'value="two"' not in page
    shown = got(server, "api/tables/runs", hidden="yes").json()
    assert [row[0] for row in shown["rows"]] == ["one", "two"] and "hidden" in shown["columns"]
    tagged = got(server, "crawls", tag="a.b", lang="zh").text
    assert "标签: a.b" in tagged and 'value="one"' in tagged
    run_files.mark(place, ["one"], hidden=True)
    assert "Hidden runs: 2" in got(server, "crawls", lang="en").text


def test_a_program_moves_runs_into_the_bin_and_back(server: Prepared, place: Workspace) -> None:
    moved = sent(server, "_bin", {"runs": ["one"]})["moved"]
    assert [one["id"] for one in moved] == ["one~1"] and place.run_names() == ["two"]
    assert [one["id"] for one in got(server, "api/crawls/_bin").json()["bin"]] == ["one~1", "gone~1"]
    table = got(server, "api/tables/bin").json()
    assert [row[0] for row in table["rows"]] == ["one~1", "gone~1"]
    assert (
        got(server, "crawls/one").status_code == 404
        and "--restore one" in got(server, "api/crawls/one").json()["error"]
    )
    assert [one["run"] for one in sent(server, "_restore", {"runs": ["one~1"]})["restored"]] == ["one"]
    assert [one["id"] for one in sent(server, "_delete", {"runs": ["gone~1"]})["deleted"]] == ["gone~1"]
    assert place.run_names() == ["one", "two"] and got(server, "api/crawls/_bin").json() == {"bin": []}


# ---- who may


@pytest.mark.parametrize("end", CHANGES)
def test_only_who_may_change_the_workspace_does(server: Prepared, place: Workspace, end: str) -> None:
    address, body = f"{server.address.url}api/crawls/{end}", CHANGES[end]
    program = reader(server)
    assert requests.post(address, json=body, timeout=60).status_code == 401
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert program.post(address, json=body, headers=headers, timeout=60).status_code == 403
    with requests.Session() as browser:
        page = browser.get(server.address.opening, timeout=60)
        assert page.status_code == 200
        [csrf] = re.findall(r'name="csrf-token" content="(\w+)"', browser.get(server.address.url, timeout=60).text)
        assert browser.post(address, json=body, timeout=60).status_code == 401
        wrong = {"X-CSRF-Token": csrf[::-1]}
        assert browser.post(address, json=body, headers=wrong, timeout=60).status_code == 401
        form = browser.post(address, data={"runs": "one"}, headers={"Origin": "http://evil.example"}, timeout=60)
        assert form.status_code == 403
        assert place.run_names() == ["one", "two"] and run_files.read_marks(place.run("one")) == run_files.Marks()
        assert [one.id for one in removed_runs.listed(place)] == ["gone~1"]
        right = {"X-CSRF-Token": csrf}
        assert browser.post(address, json=body, headers=right, timeout=60).status_code == 200


def test_who_may_only_read_changes_nothing(place: Workspace) -> None:
    with running(place, public_read=True) as server:
        assert "gone~1" in requests.get(f"{server.address.site}api/crawls/_bin", timeout=60).text
        for end, body in CHANGES.items():
            assert requests.post(f"{server.address.site}api/crawls/{end}", json=body, timeout=60).status_code == 401
        page = requests.get(f"{server.address.site}tables/bin", timeout=60)
        part = requests.get(f"{server.address.site}api/tables/bin?_format=html", timeout=60)
        assert page.status_code == part.status_code == 200 and '<fieldset class="marks" disabled>' in part.text
    with running(place) as server:
        for path in ("api/crawls/_bin", "tables/bin", "api/tables/bin"):
            assert requests.get(server.address.url + path, timeout=60).status_code == 401


@pytest.mark.parametrize(
    ("end", "body"),
    [
        *((end, body) for end in CHANGES for body in (
            {}, {"runs": []}, {"runs": "one"}, {"runs": [1]}, {"runs": ["none"]}, {"runs": ["../one"]},
            {"runs": ["/etc"]},
            {"runs": ["one/../two"]}, {"runs": [".bin"]}, {"runs": [".bin/gone~1"]}, {"runs": ["one\0"]},
            {"runs": ["one", "none"]}, {"runs": ["one"], "all": True}, {"runs": ["one"], "workspace": "/"},
        )),
        ("_mark", {"runs": ["one"], "note": 1}), ("_mark", {"runs": ["one"], "note": "x" * 501}),
        ("_mark", {"runs": ["one"], "note": "\u202ex"}), ("_mark", {"runs": ["one"], "tag": "x"}),
        ("_mark", {"runs": ["one"], "tag": ["<b>"]}), ("_mark", {"runs": ["one"], "tag": ["x" * 41]}),
        ("_mark", {"runs": ["one"], "hidden": "yes"}), ("_restore", {"runs": ["two"]}), ("_delete", {"runs": ["one"]}),
    ],
)  # fmt: skip
def test_what_is_no_run_or_mark_is_refused(unchanged: Prepared, made: Workspace, end: str, body: Any) -> None:
    assert sent(unchanged, end, body, 400)["error"]
    assert made.run_names() == ["one", "two"] and (made.bin / "gone~1" / JOURNAL).exists()
    assert run_files.read_marks(made.run("one")) == run_files.Marks()


@pytest.fixture(scope="module")
def unchanged(made: Workspace) -> Iterator[Prepared]:
    with running(made) as found:
        yield found


def test_a_note_is_text_in_every_form(server: Prepared, place: Workspace) -> None:
    run_files.mark(place, ["one"], note='=cmd|"/c calc"!A1 <script>alert(1)</script>')
    run_files.mark(place, ["two"], note='"><img src=x onerror=alert(1)>')
    removed_runs.remove(place, ["one"], lambda: pytest.fail("there is no graph"))
    for source, run in (("runs", "two"), ("bin", "one")):
        part = got(server, f"api/tables/{source}", _format="html").text
        assert "<script>" not in part and "<img" not in part and run in part
    lines = got(server, "api/tables/bin", _format="csv").text.splitlines()
    assert any("'=cmd" in line for line in lines)


@pytest.mark.slow
def test_the_graph_of_a_server_follows(served: Prepared, space: Workspace) -> None:
    asked = ("--world", "synthetic:planted?pages=300&seed=0", "--strategy", "breadth_first", "--limit-pages", "6")
    assert invoke(["crawl", "run", *asked, "--run", "followed", "--workspace", str(space.root)]) == 0
    statement = "MATCH (c:Crawl {id: 'followed'})-[f:FETCHED]->(:Page) RETURN count(f) AS n"

    def pages() -> int:
        return int(got(served, "api/cypher", statement=statement).json()["rows"][0][0])

    before = pages()
    assert before > 0 and sent(served, "_bin", {"runs": ["followed"]})["moved"][0]["graph"] is True and pages() == 0
    sent(served, "_restore", {"runs": ["followed"]})
    assert pages() == before
    sent(served, "_bin", {"runs": ["followed"]})
    sent(served, "_delete", {"runs": ["followed"]})
    assert pages() == 0 and "followed" not in space.run_names()


# ---- in a browser


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1200])
def test_runs_are_marked_and_moved_by_keyboard(server: Prepared, place: Workspace, width: int) -> None:
    with opened(server.address, locale="zh-CN") as window:
        page = window.page
        page.set_default_timeout(90_000)
        page.set_viewport_size({"width": width, "height": 740})
        window.go("/crawls")
        box = page.get_by_label("选择: one")
        page.locator("[data-mark=hide]").press("Enter")
        page.locator("#said", has_text="选择爬取").wait_for()  # nothing was chosen
        box.focus()
        page.keyboard.press("Space")
        page.locator("[data-of=tag]").focus()
        page.keyboard.type("洪水，first")
        page.keyboard.press("Enter")
        page.get_by_role("link", name="洪水").wait_for()
        assert run_files.read_marks(place.run("one")).tags == ("洪水", "first") and box.is_checked()
        page.locator("[data-of=note]").fill("第一次试爬")
        page.locator("[data-mark=note]").press("Enter")
        page.locator("td", has_text="第一次试爬").wait_for()
        page.get_by_role("link", name="洪水").press("Enter")
        page.wait_for_url("**tag=**")
        page.locator("text=标签: 洪水").wait_for()
        assert page.get_by_label("选择: two").count() == 0
        assert views.measured(page, "wider") == [] and views.measured(page, "unnamed") == []
        box.check()
        page.locator("[data-mark=hide]").press("Enter")
        page.locator("text=隐藏的爬取: 1").wait_for()
        page.get_by_role("link", name="一并显示").press("Enter")
        box.check()
        page.locator("[data-mark=bin]").press("Enter")
        page.locator("text=回收站中的爬取: 2").wait_for()
        page.get_by_role("link", name="回收站").press("Enter")
        page.get_by_label("选择: one~1").check()
        assert views.measured(page, "wider") == [] and views.measured(page, "unnamed") == []
        page.locator("[data-mark=restore]").press("Enter")
        page.get_by_label("选择: one~1").wait_for(state="detached")
        page.get_by_label("选择: gone~1").check()
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.locator("[data-mark=delete]").press("Enter")
        assert len(removed_runs.listed(place)) == 1
        page.once("dialog", lambda dialog: dialog.accept())
        page.locator("[data-mark=delete]").press("Enter")
        page.get_by_label("选择: gone~1").wait_for(state="detached")
        assert removed_runs.listed(place) == [] and place.run_names() == ["one", "two"]
        assert not window.complaints


@pytest.mark.slow
def test_a_run_is_marked_on_its_page(server: Prepared, place: Workspace) -> None:
    run_files.mark(place, ["two"], note="<b>before</b>", tag=["old", "kept"])
    with opened(server.address, locale="en") as window:
        page = window.go("/crawls/two")
        assert page.locator("#marks [name=note]").input_value() == "<b>before</b>"
        page.fill("#marks [name=note]", "第二次")
        page.fill("#marks [name=tags]", "kept，洪水")
        page.locator("#marks [name=tags]").press("Enter")
        page.locator("#said", has_text="Done").wait_for()
        assert run_files.read_marks(place.run("two")) == run_files.Marks("第二次", ("kept", "洪水"))
        page.fill("#marks [name=tags]", "x" * 41)
        page.locator("#marks [name=tags]").press("Enter")
        page.locator("#said", has_text="tag").wait_for()
        page.reload()
        assert page.locator("#marks [name=tags]").input_value() == "kept 洪水"
        assert all("400" in one for one in window.complaints)  # the tag that is too long
