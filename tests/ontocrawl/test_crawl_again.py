"""`crawl again`: what visits find, conditional requests, robots, limits, the graph, and what is interrupted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import ontocrawl
from crawler.journal import graph_rows, visits
from crawler.journal.visits import PageHistory, Visit
from crawler.revisits import ordered
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs import crawling, runs
from tests.ontocrawl.changing_site import HOST, Site, page, served, small_site
from tests.ontocrawl.conftest import Command

ROOT = f"http://{HOST}"


@pytest.fixture
def site() -> Iterator[Site]:
    with served(Site(small_site())) as made:
        yield made


@pytest.fixture
def space(site: Site, command: Command, tmp_path: Path) -> Workspace:
    """A workspace with the run ``mine`` of the whole site."""
    return crawled(site, command, tmp_path)


def crawled(site: Site, command: Command, tmp_path: Path) -> Workspace:
    made = workspace.init(tmp_path / "ws")
    table = tmp_path / "resolve.txt"
    table.write_text(site.resolve, encoding="utf-8")
    how = ("--no-graph", "--no-politeness", "--run", "mine", "--workspace", made.root)
    found = command("crawl", "run", "--topic", "rainstorm", "--seeds", f"{ROOT}/", "--resolve", table, *how, "--json")
    assert found.json["fetched"] == len(site.pages)
    return made


def again(space: Workspace, **options: Any) -> tuple[dict[str, str], dict[str, Any]]:
    """Visit the pages again; return what was found of each path, and the summary."""
    made: list[Visit] = []
    found = crawling.again(space, "mine", on_visit=made.append, **options)
    return {visit.url.removeprefix(ROOT): visit.change for visit in made}, dict(found)


def test_a_run_is_visited_again_from_python(site: Site, space: Workspace) -> None:
    run = ontocrawl.Run("mine", workspace=space.root)
    made: list[Visit] = []
    found = run.again(policy="uniform", on_visit=made.append)
    assert (found["state"], found["policy"], found["unchanged"]) == ("finished", "uniform", len(made))
    assert run.again(pages=2)["revisits"] == 2
    with pytest.raises(UsageError, match="optimal, uniform, proportional"):
        run.again(policy="newest")
    with pytest.raises(UsageError):
        run.again(pages=0)


def test_unchanged_pages_cost_a_conditional_request_without_a_body(site: Site, space: Workspace) -> None:
    before = len(site.hits)
    changes, found = again(space)
    assert set(changes.values()) == {"unchanged"} and len(changes) == 5 == found["unchanged"]
    assert {(hit.conditional, hit.status) for hit in site.hits[before:] if hit.path != "/robots.txt"} == {(True, 304)}
    assert "/robots.txt" in [hit.path for hit in site.hits[before:]]


def test_last_modified_is_a_validator_too(command: Command, tmp_path: Path) -> None:
    with served(Site(small_site(), etags=False)) as site:
        space = crawled(site, command, tmp_path)
        before = len(site.hits)
        assert set(again(space)[0].values()) == {"unchanged"}
        assert all(hit.status == 304 for hit in site.hits[before:] if hit.path != "/robots.txt")


def test_changed_gone_new_and_edited_pages(site: Site, space: Workspace, command: Command) -> None:
    site.pages |= {
        "/a": page("灾情 /a", text="台风登陆沿海，风暴潮冲毁堤坝，当地紧急转移居民。", number=77),
        "/": page("首页", "/a", "/b", "/c", "/d", "/n1", "/missing"),
        "/n1": page("新灾情", "/n2", number=5),
        "/n2": page("更新的灾情", number=6, text="暴雨又来了，内涝严重，洪水再次进城。"),
    }
    del site.pages["/b"]
    changes, found = again(space)
    assert changes == {
        "/": "changed", "/a": "changed", "/b": "gone", "/c": "unchanged", "/d": "unchanged", "/n1": "new", "/n2": "new",
        "/missing": "failed",
    }  # fmt: skip
    assert {name: found[name] for name in visits.CHANGES} == {
        "changed": 2, "unchanged": 2, "gone": 1, "new": 2, "failed": 0,
    }  # fmt: skip
    assert (found["failures"], found["links_failed"]) == ({"http_404": 1}, {"http_404": 1})
    status = command("crawl", "status", "mine", "--workspace", space.root, "--json").json
    assert status["again"] == found and status["fetched"] == 5  # the run is what it was
    shown = command("crawl", "status", "mine", "--workspace", space.root)
    assert shown.code == 0 and "Last revisit of mine" in shown.out
    told = command("--lang", "zh", "crawl", "status", "mine", "--workspace", space.root).out
    assert all(word in told for word in ("已消失", "未变化", "失败的新链接", "已完成")) and "失败的目标" not in told

    before = len(site.hits)
    changes, _ = again(space)  # new pages are visited as the others, and the missing one is not tried again
    assert changes == dict.fromkeys(("/", "/a", "/c", "/d", "/n1", "/n2"), "unchanged") | {"/b": "gone"}
    assert "/missing" not in site.paths(before)
    site.pages["/b"] = page("灾情 /b", number=2)
    assert again(space)[0]["/b"] == "changed"  # it is back
    with runs.open_journal(space, "mine") as journal:
        known = visits.histories(journal)
    assert known[f"{ROOT}/b"].gone is None and known[f"{ROOT}/n1"].found_at_revisit == 1
    assert [changed for _, changed in known[f"{ROOT}/b"].seen] == [True, False, True]


def test_a_small_edit_is_no_change_and_a_new_link_is_one(command: Command, tmp_path: Path) -> None:
    long = "".join(
        f"<p>第{n}段：{'暴雨洪水内涝预警' * 3}，水利部门第{n * 7 % 97}号通报说，堤防{n * 13 % 89}处出险。</p>"
        for n in range(60)
    )
    text = f"<html><head><title>长文</title></head><body>{long}<p>访问 LEFT 页</p></body></html>"
    with served(Site({"/": page("首页", "/long"), "/long": text})) as site:
        space = crawled(site, command, tmp_path)
        site.pages["/long"] = text.replace("LEFT", "RIGHT")
        assert again(space)[0] == {"/": "unchanged", "/long": "unchanged"}
        assert [hit.status for hit in site.hits if hit.path == "/long"] == [200, 200]
        site.pages |= {"/long": text.replace("LEFT", '<a href="/new">RIGHT</a>'), "/new": page("新", number=3)}
        assert again(space)[0] == {"/": "unchanged", "/long": "changed", "/new": "new"}


def test_robots_are_asked_again_and_a_closed_page_is_not_requested(site: Site, space: Workspace) -> None:
    site.robots = "User-agent: *\nDisallow: /a\n"
    before = len(site.hits)
    changes, _ = again(space)
    assert changes["/a"] == "failed" and "/a" not in site.paths(before)
    site.robots = "User-agent: *\nDisallow:\n"
    assert again(space)[0]["/a"] == "unchanged"


def test_a_limit_and_what_is_left_by_it(site: Site, space: Workspace) -> None:
    site.pages |= {"/": page("首页", "/a", "/b", "/c", "/d", "/n1", "/n2"), "/n1": page("一"), "/n2": page("二")}
    made = [again(space, limit=1)[0] for _ in range(6)]
    assert [made[0], made[2], made[4]] == [{"/": "changed"}, {"/n1": "new"}, {"/n2": "new"}]  # the hub, then its links
    assert [set(one.values()) for one in made[1::2]] == [{"unchanged"}] * 3  # and others by turns


def test_a_resumed_run_goes_on_as_if_nobody_had_visited_its_pages(site: Site, command: Command, tmp_path: Path) -> None:
    made = workspace.init(tmp_path / "ws")
    table = tmp_path / "resolve.txt"
    table.write_text(site.resolve, encoding="utf-8")
    how = ("--no-graph", "--no-politeness", "--in-flight", "1", "--workspace", made.root)
    begin = ("crawl", "run", "--topic", "rainstorm", "--seeds", f"{ROOT}/", "--resolve", table, *how, "--limit-pages")
    assert command(*begin, "3", "--run", "mine").code == command(*begin, "5", "--run", "whole").code == 0
    again(made)
    found = command("crawl", "resume", "mine", "--limit-pages", "5", "--no-graph", "--workspace", made.root, "--json")
    assert (found.code, found.json["fetched"]) == (0, 5)
    traces = []
    for name in ("mine", "whole"):
        with runs.open_journal(made, name) as journal:
            traces.append(list(journal.query("SELECT link FROM event WHERE kind = 'outcome' ORDER BY seq")))
    assert traces[0] == traces[1]
    assert len(again(made)[0]) == 5


def test_the_command_and_its_errors(site: Site, space: Workspace, command: Command) -> None:
    at = ("--workspace", space.root)
    found = command("crawl", "again", "mine", *at, "--json")
    assert (found.code, found.json["unchanged"], found.json["state"]) == (0, 5, "finished")
    assert command("crawl", "again", "none", *at).code == 2
    assert "optimal, uniform, proportional" in command("crawl", "again", "mine", "--policy", "best", *at).err
    for wrong in ("soon", "10", "0h"):
        assert "30m or 6h" in command("crawl", "again", "mine", "--every", wrong, *at).err


def test_a_validator_that_is_no_header_is_not_sent(site: Site, space: Workspace) -> None:
    site.prefix = "\x80\xff"
    for path in site.pages:
        site.pages[path] += "<p>又一次暴雨</p>" * 9
    again(space)
    before = len(site.hits)
    assert set(again(space)[0].values()) == {"unchanged"}  # by their hash
    assert {(hit.conditional, hit.status) for hit in site.hits[before:] if hit.path != "/robots.txt"} == {(False, 200)}


def test_new_links_without_end_are_visited_up_to_the_number_of_pages(site: Site, space: Workspace) -> None:
    site.pages["/"] = page("首页", "/a", "/b", "/c", "/d", "/n0")
    site.pages |= {f"/n{at}": page(f"新灾情{at}", f"/n{at + 1}", number=1000 + 37 * at) for at in range(50)}
    changes, found = again(space)
    assert len(changes) == 2 * 5 and found["state"] == "finished" and found["new"] == 5


@pytest.mark.slow
def test_new_pages_do_not_keep_others_from_their_turn(site: Site, space: Workspace) -> None:
    own, paths = set(site.pages), [f"/n{at}" for at in range(300)]
    site.pages["/"] = page("首页", *own - {"/"}, *paths[:3])
    site.pages |= {
        path: page(f"新灾情{at}", *paths[3 * at + 1 : 3 * at + 4], number=1000 + 37 * at)
        for at, path in enumerate(paths)
    }
    for number in (1, 2, 3):
        changes, found = again(space)
        assert own <= changes.keys() and found["new"] == len(own) and len(changes) == (number + 1) * len(own)
    del site.pages["/a"]
    limited = [again(space, limit=4, policy="uniform") for _ in range(12)]
    assert all((len(changes), found["new"]) == (4, 2) for changes, found in limited)
    assert any(changes.get("/a") == "gone" for changes, _ in limited)


def test_copies_moved_pages_titles_and_pages_that_ask_not_to_be_used(site: Site, space: Workspace) -> None:
    original = site.pages["/a"]
    hidden = page("灾情 /c", text="台风登陆沿海，当地紧急转移居民。", number=9).replace(
        "<head>", '<head><meta name="robots" content="noindex">'
    )
    site.pages |= {
        "/b": original,
        "/a": "/",
        "/c": hidden,
        "/d": site.pages["/d"].replace("<title>灾情", "<title>解除"),
    }
    changes, found = again(space)
    assert changes == {"/": "unchanged", "/a": "gone", "/b": "changed", "/c": "changed", "/d": "changed"}
    assert found["failures"] == {"duplicate_redirect": 1} and found["failed"] == 0 and found["links_failed"] == {}
    with runs.open_journal(space, "mine") as journal:
        rows = {row.url.removeprefix(ROOT): row for row in graph_rows.outcomes(journal)}
        texts = {one.url.removeprefix(ROOT): one for one in graph_rows.pages(journal, copies=True)}
    assert (rows["/c"].failure, rows["/c"].title, rows["/c"].text, rows["/c"].mentions) == ("noindex", "", "", ())
    assert "/c" not in texts and not texts["/b"].relevant and texts["/d"].relevant
    assert rows["/a"].gone is not None


def test_the_rows_for_the_graph_and_the_pages_for_enrichment(site: Site, space: Workspace) -> None:
    newer = "台风登陆沿海，风暴潮冲毁堤坝，当地紧急转移居民。"
    links = page("灾情 /a", "/n1", "/copy", text=newer, number=77)
    site.pages |= {"/a": links, "/n1": page("新灾情", number=5), "/copy": site.pages["/c"]}
    del site.pages["/b"]
    with runs.open_journal(space, "mine") as journal:
        before = {row.url: row for row in graph_rows.outcomes(journal)}
        assert all(row.first_seen == row.last_seen is not None for row in before.values())
    again(space)
    with runs.open_journal(space, "mine") as journal:
        rows = {row.url: row for row in graph_rows.outcomes(journal)}
        texts = {one.url: one for one in graph_rows.pages(journal)}
        assert graph_rows.row_counts(journal).pages == len(rows) == 7
    a, b, c, new = (rows[f"{ROOT}/{name}"] for name in ("a", "b", "c", "n1"))
    was = before[a.url]
    assert (a.title, a.relevance, a.content_hash, a.step) == (was.title, was.relevance, was.content_hash, was.step)
    assert a.changed is not None and a.last_seen == a.changed and newer in a.text and newer not in was.text
    assert b.gone is not None and b.last_seen == before[b.url].last_seen and b.changed is None
    assert (c.gone, c.changed, c.first_seen) == (None, None, before[c.url].first_seen) and c.last_seen != c.first_seen
    assert new.step in (6, 7)  # the two new pages are requested at the same time
    assert (new.found_at_revisit, new.relevant, new.failure) == (1, True, None)
    assert json.loads(new.evidence) == {"found_on": a.url} and new.first_seen == new.last_seen
    assert newer in texts[a.url].text and texts[new.url].title == "新灾情" and len(texts) == 7
    assert not rows[f"{ROOT}/copy"].relevant and rows[f"{ROOT}/copy"].relevance == c.relevance


# ---- the order of visits


def history(url: str, **facts: Any) -> PageHistory:
    given = {"relevance": 0.0, "leads_to": 0, "seen": [], **facts}
    day = "2026-01-01T00:00:00+00:00"
    return PageHistory(url, 0, 1, day, day, url, "0", {}, relevant=False, **given)


def test_hubs_relevant_pages_and_pages_that_change_come_first() -> None:
    days = [f"2026-01-{day:02}T00:00:00+00:00" for day in range(2, 12)]
    pages = [
        history("http://a.example/still", seen=[(day, False) for day in days]),
        history("http://b.example/lively", seen=[(day, day > days[6]) for day in days]),
        history("http://a.example/relevant", relevance=0.9, seen=[(day, False) for day in days]),
        history("http://a.example/hub", relevance=0.9, leads_to=15, seen=[(day, False) for day in days]),
    ]
    now = 1_768_176_000.0  # 12 January
    names = [page.url.rpartition("/")[2] for page in ordered(pages, "optimal", now)]
    assert names.index("hub") < names.index("relevant") < names.index("still")
    assert names.index("lively") < names.index("still")


# ---- kill -9


@pytest.mark.slow
def test_three_kills_lose_no_visit(command: Command, tmp_path: Path) -> None:
    """A visit that the journal has is not made again in its revisit, and in the end all pages are visited."""
    paths = [f"/{number}" for number in range(60)]
    with served(Site(small_site(paths))) as site:
        space = crawled(site, command, tmp_path)
        for path in paths[::2]:
            site.pages[path] = page(f"新灾情 {path}", text="台风登陆，风暴潮冲毁堤坝。", number=900 + int(path[1:]))
        before = len(site.hits)
        kept = Counter[str]()
        for number in range(1, 4):
            site.gate = threading.Semaphore(8)
            with revisiting(space) as process:
                wait_for(lambda number=number: visits_made(space).total() == 8 * number)  # type: ignore[misc]
                process.kill()
            made = visits_made(space)
            assert made >= kept and set(made.values()) == {1} and made.total() == 8 * number
            kept = made
        site.gate = None
        with revisiting(space) as process:
            assert process.stdout is not None
            found = json.loads(read_document(process.stdout))
            shown = command("crawl", "status", "mine", "--workspace", space.root, "--json").json["live"]
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        assert process.returncode == 0
        assert (found["revisits"], found["state"], found["changed"], found["unchanged"]) == (1, "finished", 30, 31)
        assert [stall["code"] for stall in shown["stalls"]] == ["revisiting"]
        assert visits_made(space) == Counter(["/", *paths])
        assert Counter(site.paths(before)) == Counter(["/", *paths])


@contextmanager
def revisiting(space: Workspace) -> Iterator[subprocess.Popen[str]]:
    """Visit the pages of the run again and again in another process."""
    program = [sys.executable, "-m", "ontocrawl", "crawl", "again", "mine", "--every", "1h", "--no-graph", "--json"]
    command = [*program, "--workspace", str(space.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def visits_made(space: Workspace) -> Counter[str]:
    with runs.open_journal(space, "mine") as journal:
        return Counter(visit.url.removeprefix(ROOT) for _, visit, _, _ in visits.visits(journal))


def read_document(stream: Any) -> str:
    """Read one indented JSON document from a stream that goes on."""
    lines = []
    for line in stream:
        lines.append(line)
        if line.rstrip() == "}":
            break
    return "".join(lines)


def wait_for(condition: Any) -> None:
    until = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)
