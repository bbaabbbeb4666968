"""A topic learned from papers through the explorer: uploads, the task, and the form in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.explorer.app import Prepared
from ontocrawl.topics import topics
from tests.ontocrawl.explorer.chromium import opened
from tests.ontocrawl.explorer.conftest import reader, running

PAPERS = Path(__file__).parents[3] / "ontocrawl" / "sample" / "abstracts.txt"


@pytest.fixture
def place(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


@pytest.fixture
def server(place: Workspace) -> Iterator[Prepared]:
    with running(place) as found:
        yield found


def sent(server: Prepared, path: str, status: int = 200, **given: Any) -> Any:
    answer = reader(server).post(f"{server.address.url}api/{path}", timeout=60, **given)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_file_is_taken_part_by_part_and_none_is_replaced(server: Prepared, place: Workspace) -> None:
    whole = PAPERS.read_bytes()
    assert sent(server, "papers/摘要 1.txt?offset=0", data=whole[:20_000]) == {"file": "摘要 1.txt", "bytes": 20_000}
    assert reader(server).get(server.address.url + "api/papers", timeout=60).json() == {"files": []}
    assert "a part is missing" in sent(server, "papers/摘要 1.txt?offset=10", 400, data=b"x")["error"]
    sent(server, "papers/摘要 1.txt?offset=20000&last=yes", data=whole[20_000:])
    assert (place.root / "papers" / "摘要 1.txt").read_bytes() == whole
    listed = reader(server).get(server.address.url + "api/papers", timeout=60).json()["files"]
    assert listed == [{"name": "摘要 1.txt", "bytes": len(whole)}]
    assert "has a file" in sent(server, "papers/摘要 1.txt?offset=0&last=yes", 400, data=b"other")["error"]
    assert [path.name for path in (place.root / "papers").iterdir()] == ["摘要 1.txt"]
    assert sent(server, "papers/摘要 1.txt/remove", json={}) == {"file": "摘要 1.txt"}
    assert not list((place.root / "papers").iterdir())
    assert "摘要 1.txt" in sent(server, "papers/摘要 1.txt/remove", 400, json={})["error"]


@pytest.mark.parametrize(
    "name", [".hidden", "..", "a%2F..%2Fb.txt", "a%00.txt", "x.part", "a" * 101, "con<.txt", "a.txt "]
)
def test_a_file_has_a_plain_name_in_one_folder(server: Prepared, place: Workspace, name: str) -> None:
    answer = reader(server).post(f"{server.address.url}api/papers/{name}?offset=0&last=yes", data=b"x", timeout=60)
    assert answer.status_code in (400, 404, 405)
    gone = reader(server).post(f"{server.address.url}api/papers/{name}/remove", json={}, timeout=60)
    assert gone.status_code in (400, 404, 405)
    assert not list(place.root.glob("papers/*")) and not (place.root.parent / "b.txt").exists()


def test_a_file_that_is_too_large_is_refused(server: Prepared, place: Workspace) -> None:
    assert "64000001" in sent(server, "papers/a.txt?offset=64000001", 400, data=b"x")["error"]
    assert "more than 64,000,000" in sent(server, "papers/a.txt?offset=64000000", 400, data=b"x")["error"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"name": "1x", "zh": "旱", "en": "", "files": ["a.txt"]}, "no name for a topic"),
        ({"name": "../x", "zh": "旱", "en": "", "files": ["a.txt"]}, "no name for a topic"),
        ({"name": "rainstorm", "zh": "旱", "en": "", "files": ["a.txt"]}, "there is a topic"),
        ({"name": "dry", "zh": " ", "en": "", "files": ["a.txt"]}, "needs a label"),
        ({"name": "dry", "zh": "旱", "en": "", "files": []}, "are missing"),
        ({"name": "dry", "zh": "旱", "en": "", "files": ["b.txt"]}, "are missing: b.txt"),
        ({"name": "dry", "zh": "旱", "en": "", "files": ["../ontocrawl.toml"]}, "no name for a file"),
        ({"name": "dry", "zh": "旱", "en": "", "files": "a.txt"}, "files"),
    ],
)
def test_what_cannot_be_learned_is_said(server: Prepared, place: Workspace, body: Any, says: str) -> None:
    assert says in sent(server, "topics/_new", 400, json=body)["error"]
    assert "dry" not in topics.places(place)


def test_who_may_not_change_uploads_and_learns_nothing(place: Workspace) -> None:
    with running(place, public_read=True) as server:
        for path in ("papers/a.txt?offset=0&last=yes", "topics/_new"):
            assert requests.post(f"{server.address.url}api/{path}", data=b"{}", timeout=60).status_code in (401, 403)
    assert not (place.root / "papers").exists()


@pytest.mark.slow
def test_problems_of_the_files_are_noted_in_the_language_of_who_asks(server: Prepared) -> None:
    sent(server, "papers/a.txt?offset=0&last=yes", data=PAPERS.read_bytes())
    sent(server, "papers/b.csv?offset=0&last=yes", data="题名,年份\n暴雨研究,2001\n,2002\n".encode())
    body = {"name": "flood", "zh": "洪涝", "en": "", "files": ["a.txt", "b.csv"]}
    task = sent(server, "topics/_new", 202, json=body)
    program = reader(server)
    program.headers["Accept-Language"] = "zh"
    while not task["done"]:
        time.sleep(0.5)
        task = program.get(f"{server.address.url}api/tasks/{task['id']}", timeout=60).json()
    assert task["result"]["notes"][-1].endswith("b.csv 第 3 行：记录没有题名（题名列中没有值）")


@pytest.mark.slow
def test_a_topic_is_learned_by_the_form_alone(server: Prepared, place: Workspace) -> None:
    with opened(server.address, locale="zh-CN") as window:
        page = window.go("/")
        page.get_by_role("link", name="从文献学习新主题").press("Enter")
        page.wait_for_url("**/topics/_new")
        page.fill("[name=name]", "flood")
        page.fill("[name=zh]", "洪涝")
        page.set_input_files("[name=upload]", str(PAPERS))
        page.locator("#files input:checked").wait_for()
        page.get_by_role("button", name="开始学习").press("Enter")
        page.locator("#learned strong", has_text="flood").wait_for()
        assert page.locator("#stages .done").count() > 3
        page.get_by_role("link", name="继续处理此主题").press("Enter")
        page.wait_for_url("**/topics/flood")
        page.locator("text=文献: 57").wait_for()
        assert not window.complaints
    learned = topics.named("flood", place)
    assert len(learned.ontologies[0].concepts) > 20 and learned.words
