"""Review, versions and classes by the interface: two browsers and a terminal at once, many at once, undo, tasks."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests

from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import reviewing
from ontocrawl.explorer.app import Prepared
from ontocrawl.topics import reviewed
from ontology.decisions import table
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer.conftest import reader

TOPIC = "rainstorm"
ONTOLOGY = "https://w3id.org/ontocrawl/rainstorm#"
Tab = Callable[..., requests.Response]


def tab(served: Prepared) -> Tab:
    """A tab of a browser: sends JSON with the CSRF value of its page."""
    session = requests.Session()
    session.get(served.address.opening, timeout=60)
    page = session.get(served.address.url, timeout=60).text
    [csrf] = re.findall(r'<meta name="csrf-token" content="(\w+)">', page)

    def send(path: str, body: object) -> requests.Response:
        url = served.address.url + path
        return session.post(url, json=body, headers={"X-CSRF-Token": csrf}, timeout=120)

    return send


def ended(served: Prepared, started: requests.Response) -> dict[str, Any]:
    """The task when it is done."""
    assert started.status_code == 202, started.text
    task: dict[str, Any] = started.json()
    while not task["done"]:
        time.sleep(0.1)
        task = reader(served).get(f"{served.address.url}api/tasks/{task['id']}", timeout=60).json()
    return task


def read(served: Prepared, path: str, **parameters: object) -> Any:
    answer = reader(served).get(served.address.url + path, params=parameters, timeout=120)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def proposed(served: Prepared, crawled: str) -> list[dict[str, Any]]:
    """The open proposals that the explorer makes from the crawl."""
    task = ended(served, tab(served)(f"api/crawls/{crawled}/proposals", {"limit": 30}))
    assert task["error"] == "" and task["stages"][0] == f"reading the pages of {crawled}"
    assert task["result"]["topic"] == TOPIC
    rows: list[dict[str, Any]] = read(served, "api/proposals", topic=TOPIC)["proposals"]
    assert len(rows) >= task["result"]["proposals"] > 5
    return rows


@pytest.fixture(autouse=True)
def _forgotten(space: Workspace) -> Iterator[None]:
    """What a test decides is forgotten after it."""
    yield
    for name in (table.FILE, reviewed.FILE, reviewing.FILE):
        (space.ontologies / TOPIC / name).unlink(missing_ok=True)


@pytest.mark.slow
def test_two_tabs_and_a_terminal_lose_no_verdict(
    served: Prepared, space: Workspace, command: Command, proposed: list[dict[str, Any]]
) -> None:
    first, second, third = (row["id"] for row in proposed[:3])
    one, other = tab(served), tab(served)
    assert one(f"api/proposals/{first}", {"action": "reject", "seen": []}).json()["status"] == "rejected"
    refused = other(f"api/proposals/{first}", {"action": "accept", "seen": []})
    assert refused.status_code == 409
    assert "has decided meanwhile: rejected" in refused.json()["error"]
    assert (refused.json()["id"], refused.json()["verdict"]["action"]) == (first, "reject")
    decided = command("enrich", "decide", second, "reject", "--who", "王五", "--workspace", space.root, "--json")
    assert decided.code == 0, decided.err
    many = {"topic": TOPIC, "ids": [second, third], "action": "reject", "seen": {second: [], third: []}}
    refused = one("api/proposals", many)
    assert refused.status_code == 409 and "王五" in refused.json()["error"]
    standing = reviewed.record_of(space, TOPIC).standing
    assert {id_: standing[id_].who == "王五" for id_ in (first, second)} == {first: False, second: True}
    assert third not in standing
    undone = other(f"api/proposals/{second}", {"undo": True, "seen": []})
    assert undone.status_code == 409, "a verdict that the tab has not seen is not taken back"
    assert reviewed.record_of(space, TOPIC).standing[second].who == "王五"


@pytest.mark.slow
def test_many_are_rejected_and_taken_back(served: Prepared, proposed: list[dict[str, Any]]) -> None:
    send, ids = tab(served), [row["id"] for row in proposed[:5]]
    before = read(served, "api/proposals", topic=TOPIC)["counts"]
    done = send("api/proposals", {"topic": TOPIC, "ids": ids, "action": "reject", "seen": {i: [] for i in ids}})
    decided = done.json()["decided"]
    assert [one["id"] for one in decided] == ids and all(one["verdict"]["action"] == "reject" for one in decided)
    now = read(served, "api/proposals", topic=TOPIC, status="rejected")
    assert {row["id"] for row in now["proposals"]} == set(ids)
    assert now["counts"] == {"proposed": before["proposed"] - 5, "rejected": 5}
    seen = {one["id"]: one["seen"] for one in decided}
    assert send("api/proposals", {"topic": TOPIC, "ids": ids, "undo": True, "seen": seen}).status_code == 200
    assert read(served, "api/proposals", topic=TOPIC)["counts"] == before
    missing = send("api/proposals", {"topic": TOPIC, "ids": ["rainstorm/none"], "action": "reject"})
    assert missing.status_code == 400 and "rainstorm/none" in missing.json()["error"]


@pytest.mark.parametrize("name", ["暴\u202e雨", "flood\u2066s\u2069", "flood\x1b[31m", "flo\u200bod", "\u200f洪水"])
def test_a_name_with_hidden_characters_is_refused(
    served: Prepared, space: Workspace, proposed: list[dict[str, Any]], name: str
) -> None:
    id_ = next(row["id"] for row in proposed if row["kind"] == "concept")
    for language, says in (("en", "leave it out of the name"), ("zh", "请从名称中去掉")):
        sent = {"action": "accept", "rename": name, "seen": []}
        answer = tab(served)(f"api/proposals/{id_}?lang={language}", sent)
        assert answer.status_code == 400 and says in answer.json()["error"]
        assert name not in answer.json()["error"]
    assert id_ not in reviewed.record_of(space, TOPIC).standing


def test_those_put_off_are_last_here_and_on_the_terminal(
    served: Prepared, space: Workspace, proposed: list[dict[str, Any]]
) -> None:
    first = proposed[0]["id"]
    assert tab(served)("api/review/later", {"topic": TOPIC, "ids": [first]}).json() == {"later": [first]}
    assert reviewing.read(space, TOPIC) == [first]
    rows = read(served, "api/proposals", topic=TOPIC)["proposals"]
    assert (rows[-1]["id"], rows[-1]["later"]) == (first, True)


def test_the_place_of_a_proposal_and_classes_to_choose(served: Prepared, proposed: list[dict[str, Any]]) -> None:
    one = next(row for row in proposed if row["under"] and row["kind"] == "concept")
    place = read(served, "api/review/place", proposal=one["id"])
    assert (place["path"][0]["iri"], place["path"][-1]["iri"]) == (ONTOLOGY + "RainstormDisaster", one["under"])
    for sentence, whole in zip(place["sentences"], one["sentences"], strict=True):
        assert sentence["url"] == whole["url"] and one["term"].casefold() == sentence["parts"][1].casefold()
    near = read(served, "api/review/choices", proposal=one["id"], step="move", text="洪水")["choices"]
    assert near[0]["label"] == "洪水" and near[0]["path"][-1] == "洪水"


@pytest.mark.slow
def test_what_would_change_is_shown_before_it_is_done(
    served: Prepared, space: Workspace, proposed: list[dict[str, Any]]
) -> None:
    send, one = tab(served), next(row for row in proposed if row["kind"] == "concept")
    made = send(f"api/proposals/{one['id']}", {"action": "accept", "parent": "洪水", "seen": []})
    assert made.status_code == 200, made.text
    assert read(served, f"api/ontologies/{TOPIC}/history")["waiting"] == [one["id"]]
    result = ended(served, send(f"api/ontologies/{TOPIC}/apply", {"dry_run": True}))["result"]
    added = [row["what"] for row in result["differences"] if row["kind"] == "concept added"]
    assert len(added) == 1 and added[0].startswith(one["term"])
    assert result["new"] and {"cycle", "lint"} <= set(result["checks"]["passed"])
    assert not (space.ontologies / f"{TOPIC}.ttl").exists()
    record = read(served, f"api/ontologies/{TOPIC}/class/record", **{"class": ONTOLOGY + "Floodwater"})
    assert [d["term"] for d in record["decisions"]] == [one["term"]]
    assert record["decisions"][0]["status"] == "not built yet"


@pytest.mark.slow
def test_the_weight_of_a_class_has_five_factors_in_each_vector(served: Prepared, crawled: str) -> None:
    iri = ONTOLOGY + "CityWaterlogging"
    found = read(served, f"api/ontologies/{TOPIC}/class/weight", **{"class": iri})["weights"]
    assert {"GTK", "LTK_2"} == set(found)
    for one in found.values():
        assert 0 < one["weight"] <= 1 and len(one["factors"]) == 5 and 1 <= one["rank"] <= one["of"]


def test_a_task_that_fails_says_why(served: Prepared, crawled: str) -> None:
    send = tab(served)
    task = ended(served, send(f"api/ontologies/{TOPIC}/rollback", {"version": "9.9.9"}))
    assert "9.9.9 is no version here" in task["error"] and task["result"] is None
    assert send(f"api/ontologies/{TOPIC}/rollback", {}).status_code == 400
    assert send("api/crawls/nothing/proposals", {}).status_code == 404
    assert reader(served).get(served.address.url + "api/tasks/x", timeout=60).status_code == 404
