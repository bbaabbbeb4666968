"""Questions about terms through a running explorer and in a real browser, beside the command on the same files."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.explorer.app import Prepared
from ontocrawl.settling import state
from ontocrawl.settling.state import FILE
from ontology.decisions import in_force, table
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer import views
from tests.ontocrawl.explorer.chromium import Opened, opened
from tests.ontocrawl.explorer.conftest import reader, running

TOPIC = """\
name = "flood"
label = {{ zh = "灾害学", en = "disaster studies" }}
ontologies = ["{file}"]

[[words]]
weight = 1
zh = ["洪水"]
en = ["flood"]
"""
TERMS = ("山洪", "洪水", "台风")
TWICE = "key => [1, 2].forEach(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))"
ASKED = [("term", term) for term in TERMS]


@pytest.fixture
def place(tmp_path: Path, flood_folder: Path) -> Workspace:
    """A workspace with a topic of its own, whose ontology is that of the flood folder."""
    space = workspace.init(tmp_path / "ws")
    text = TOPIC.format(file=(flood_folder / "flood.ttl").as_posix())
    (space.ontologies / "topics" / "flood.toml").write_text(text, encoding="utf-8")
    return space


@pytest.fixture
def server(place: Workspace) -> Iterator[Prepared]:
    with running(place) as found:
        yield found


class Program:
    """A program that answers the questions of the flood folder."""

    def __init__(self, server: Prepared) -> None:
        self._url = f"{server.address.url}api/lattice/flood/settle"
        self._headers = {"Authorization": f"Bearer {server.address.token}"}

    def get(self, *more: tuple[str, str]) -> Any:
        answer = requests.get(self._url, params=[*ASKED, *more], headers=self._headers, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, what: str, body: Any, *more: tuple[str, str]) -> requests.Response:
        address = f"{self._url}/{what}"
        return requests.post(address, json=body, params=[*ASKED, *more], headers=self._headers, timeout=60)

    def answer(self, question: Any, holds: list[str], **more: Any) -> requests.Response:
        choices = [choice["label"] for choice in question["choices"]]
        return self.post("answer", {"about": question["about"], "choices": choices, "holds": holds, **more})


@pytest.fixture
def program(server: Prepared) -> Program:
    return Program(server)


def about(folder: Path) -> list[tuple[str, ...]]:
    return [answer.about for answer in state.load(folder / FILE).records[-1].answers]


def test_a_program_settles_the_order(program: Program, flood_folder: Path) -> None:
    found = program.get()
    assert found["question"]["text"] == "Which of these is every flash flood (山洪)?"
    first = found["question"]["choices"][0]
    assert (first["label"], first["suggested"]) == ("洪水", True)
    assert first["reasons"] == [
        {
            "told": "head noun; 1 paper; such as 山洪预警研究",
            "titles": ["山洪预警研究"],
            "sentence": "山洪是一种突发的洪水。",
        }
    ]
    assert (found["questions"], found["given"], found["decisions"]) == (3, [], {"added": 0, "withdrawn": 0})
    assert not (flood_folder / FILE).exists()  # who only looks writes nothing
    example = {"name": "a  valley's flood", "has": [], "lacks": []}
    found = program.answer(found["question"], ["洪水"], example=example).json()
    assert found["given"][0]["text"].endswith("not: typhoon (台风); for example a valley's flood")
    assert found["edges"] == [{"term": "山洪", "relation": "subclass_of", "value": "洪水"}]
    found = program.answer(found["question"], []).json()
    found = program.answer(found["question"], []).json()
    assert found["settled"] and found["question"] is None and about(flood_folder) == [("山洪",), ("台风",), ("洪水",)]
    made = program.post("decisions", {}).json()
    rows = in_force(table.read(flood_folder / table.FILE))
    assert made["added"] == [row.id for row in rows] and made["decisions"] == {"added": 0, "withdrawn": 0}
    assert [(row.term, row.value) for row in rows if row.action == "accept"] == [("山洪", "洪水")]
    assert program.get(("combinations", "yes"))["question"]["may_be_none"]


def test_the_command_goes_on_where_the_browser_stopped(
    program: Program, command: Command, monkeypatch: pytest.MonkeyPatch, flood_folder: Path, place: Workspace
) -> None:
    seen = program.get()
    found = program.answer(seen["question"], ["洪水"]).json()
    monkeypatch.setattr("sys.stdin", io.StringIO("0\nq\n"))
    told = command("ontology", "settle", flood_folder, "--workspace", place.root, "--who", "Li Wei")
    assert "going on after 1 answer\n" in told.out and about(flood_folder) == [("山洪",), ("台风",)]
    for refused in (program.answer(found["question"], []), program.post("undo", {"seen": found["revision"]})):
        assert refused.status_code == 409 and "changed meanwhile (the last one is by Li Wei)" in refused.json()["error"]
    now = program.get()
    assert now["given"][0]["who"] == "Li Wei" and now["question"]["about"] == ["洪水"]
    back = program.post("undo", {"seen": now["revision"]}).json()
    assert about(flood_folder) == [("山洪",)] and back["decisions"] == {"added": 0, "withdrawn": 2}


def test_of_many_answers_at_once_one_counts(program: Program, flood_folder: Path) -> None:
    question = program.get()["question"]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: program.answer(question, ["洪水"]).status_code, range(6)))
    assert sorted(answers) == [200, 409, 409, 409, 409, 409] and about(flood_folder) == [("山洪",)]


def test_questions_are_put_off_by_the_address(program: Program) -> None:
    found = program.get(("later", "山洪"), ("later", "nothing"))
    assert found["question"]["about"] == ["台风"] and (found["questions"], found["later"]) == (3, 1)


def test_what_is_wrong_is_refused(program: Program, flood_folder: Path) -> None:
    question = program.get()["question"]
    body = {"about": question["about"], "choices": ["洪水", "台风"], "holds": []}
    for what, sent in (
        ("answer", {**body, "choices": []}),
        ("answer", {**body, "holds": ["河流"]}),
        ("answer", {**body, "about": ["河流"]}),
        ("answer", {**body, "holds": "洪水"}),
        ("answer", {**body, "nothing": True}),
        ("answer", {**body, "example": {"name": " "}}),
        ("answer", {**body, "example": {"name": "x", "has": ["洪水"], "lacks": ["洪水"]}}),
        ("answer", {**body, "holds": ["洪水", "台风"], "example": {"name": "x"}}),
        ("answer", {**body, "more": 1}),
        ("undo", {}),
    ):
        refused = program.post(what, sent)
        assert refused.status_code == 400 and refused.json()["error"], sent
    assert program.post("answer", body, ("top", "5")).status_code == 400
    assert not (flood_folder / FILE).exists()


def test_changes_need_the_token_and_an_ontology_that_was_learned(server: Prepared) -> None:
    address = f"{server.address.url}api/lattice"
    assert requests.post(f"{address}/flood/settle/undo", json={"seen": "x"}, timeout=60).status_code == 401
    refused = reader(server).get(f"{address}/rainstorm/settle", timeout=60)
    assert refused.status_code == 400 and "has no ontology to settle" in refused.json()["error"]
    shown = reader(server).get(f"{server.address.url}lattice/rainstorm/settle?lang=zh", timeout=60).text
    assert "此主题没有" in shown


@pytest.fixture
def window(server: Prepared) -> Iterator[Opened]:
    with opened(server.address, locale="en-GB") as found:
        yield found


@pytest.fixture
def press(window: Opened) -> Callable[..., None]:
    """Press keys, and wait until the page says a text."""

    def run(*keys: str, says: str) -> None:
        for key in keys:
            window.page.keyboard.press(key)
        window.page.locator("#said", has_text=says).wait_for()
        window.page.locator("#question:not([aria-busy])").wait_for()

    return run


@pytest.mark.slow
def test_keys_alone_settle_the_order(
    window: Opened, press: Callable[..., None], flood_folder: Path, program: Program
) -> None:
    page = window.go("/lattice/flood")
    page.get_by_role("link", name="Settle the order of terms by questions").press("Enter")
    page.wait_for_url("**/lattice/flood/settle")
    page.goto(f"{window.address}/lattice/flood/settle?" + "&".join(f"term={term}" for term in TERMS))
    page.locator("#question h2", has_text="every flash flood").wait_for()
    assert "山洪是一种突发的洪水。" in page.locator("#question .why").first.inner_text()
    press("Enter", says="Choose one or more")
    page.evaluate(TWICE, "l")  # the second key is not taken for a question that was not seen
    page.locator("#counts", has_text="1 of them put off").wait_for()
    press("u", says="There is no answer to take back")
    page.reload()
    page.evaluate("sessionStorage.clear()")
    page.reload()
    page.locator("#question h2", has_text="every flash flood").wait_for()
    page.locator("#example-name").focus()
    page.keyboard.type("a <b>valley</b>'s flood")
    page.locator("#question").focus()
    press("1", "Enter", says="not: typhoon (台风); for example a <b>valley</b>'s flood")
    press("u", says="Taken back: every flash flood")
    press("*", says="every flash flood (山洪) is: flood (洪水)")
    press("0", says="not every typhoon")
    program.answer(program.get()["question"], [])  # somebody else answers
    press("n", says="meanwhile")
    page.locator("#question h2", has_text="is settled").wait_for()
    assert page.locator("#order tbody").inner_text().split("\t") == ["flash flood (山洪)", "<", "flood (洪水)"]
    assert [text for text in window.complaints if "409" not in text] == [] and window.complaints
    window.complaints.clear()
    page.locator("#decide").press("Enter")
    page.locator("#said", has_text="added, 0 withdrawn").wait_for()
    assert in_force(table.read(flood_folder / table.FILE))
    page.get_by_role("button", name="Also ask about things").press("Enter")
    page.locator("#question h2", has_text="everything that is both").wait_for()
    press("x", says="nothing is both")
    page.locator("#rules li", has_text="nothing").wait_for()
    assert not window.complaints


@pytest.mark.slow
def test_the_page_fits_a_telephone_in_chinese_and_in_the_dark(window: Opened) -> None:
    window.page.set_viewport_size({"width": 360, "height": 740})
    window.page.emulate_media(color_scheme="dark")
    page = window.go("/lattice/flood/settle?lang=zh&top=4")
    page.locator("#question h2", has_text="都是下列哪些").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("#example summary").click()
    assert views.measured(page, "faint") == [] and views.measured(page, "unnamed") == []
    page.fill("#choose [name=terms]", "山洪，洪水")
    page.locator("#choose button").click()
    page.locator("#question h2", has_text="每个“山洪”都是“洪水”吗？").wait_for()
    assert not window.complaints
