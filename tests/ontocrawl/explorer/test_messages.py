"""Errors in the language of the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import requests

from ontocrawl.explorer.app import Prepared

ROOT = Path(__file__).parents[3]
PACKAGES = ("ontocrawl", "crawler", "queries", "kg", "ontology")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
WORLD = {"world": "synthetic:planted?pages=600&seed=0"}
READ: tuple[tuple[str, dict[str, str], int], ...] = (
    ("nowhere", {}, 404),
    ("api/nowhere", {}, 404),
    ("ontologies/sports", {}, 404),
    ("ontologies/nothing", {}, 404),
    ("ontologies/sports/gaps", {}, 404),
    ("ontologies/rainstorm", {"level": "9"}, 400),
    ("api/ontologies/rainstorm/class", {"class": "x"}, 404),
    ("api/ontologies/rainstorm/difference", {"old": "7", "new": "8"}, 400),
    ("crawls/nothing", {}, 404),
    ("api/crawls/nothing", {}, 404),
    ("crawls/nothing/page", {"url": "http://a.example/"}, 404),
    ("crawls/nothing/diagnosis", {}, 404),
    ("api/tables/reasons", {"run": "nothing"}, 400),
    ("api/tables/unfetched", {"run": "nothing"}, 400),
    ("web/nothing", {}, 404),
    ("lattice/nothing", {}, 404),
    ("lattice/rainstorm", {"run": "nothing"}, 400),
    ("api/proposals", {"topic": "nothing"}, 400),
    ("crawls/a:b", {}, 400),
    ("crawls", {"by": "x"}, 400),
    ("crawls/_compare", {}, 400),
    ("crawls/x/page", {}, 400),
    ("lattice/rainstorm", {"context": "x"}, 400),
    ("api/tasks/1", {}, 404),
    ("api/queries/nothing/there", {}, 400),
    ("api/cypher", {"parameters": "x"}, 400),
    ("api/cypher", {"statement": "MACTH (n) RETURN n"}, 400),
    ("api/cypher", {"statement": "MATCH (n) SET n.x = 1 RETURN n"}, 400),
    ("api/cypher", {"statement": "MATCH (n) RETURN $x"}, 400),
    ("api/cypher", {"statement": "RETURN 1 AS x", "parameters": '{"y": 1}'}, 400),
    ("api/queries/pages/most_relevnt", {}, 400),
    ("api/queries/load/terms", {}, 400),
    ("api/queries/pages/page", {}, 400),
    ("api/queries/pages/newest", {"limit": "many"}, 400),
    ("api/queries/pages/newest", {"limt": "5"}, 400),
    ("lattice/sports", {}, 400),
    ("api/lattice/rainstorm/settle", {"term": "x", "top": "5"}, 400),
    ("api/proposals", {"status": "x"}, 400),
    ("api/review/place", {"proposal": "x"}, 400),
    ("api/review/choices", {"step": "x"}, 400),
    ("session", {"token": "x"}, 401),
)
SENT: tuple[tuple[str, dict[str, Any]], ...] = (
    *(
        ("api/crawls/check", {**WORLD, **fields})
        for fields in (
            {"run": "a b"}, {"limit_pages": "many"}, {"limit_pages": "-3"}, {"seed": "1.5"}, {"stay": "x"},
            {"threshold": "7"}, {"topic": "nothing"}, {"strategy": "bestfirst"}, {"accept": ["("]}, {"world": "live"},
            {"seeds": ["x"]}, {"seeds": ["@f"]}, {"world": "corpus:/nowhere"}, {"world": "corpus:"}, {"nofield": 1},
            {"world": "archive:/nowhere"}, {"world": "synthetic:what"}, {"world": "synthetic:planted?a=1"},
            {"judge": "x"}, {"guide": "x"}, {"strategy": "fcosa_lg", "parameters": {"x": "1"}}, {"host": ["a b"]},
            {"topic": "sports", "strategy": "fcosa_lg"}, {"host": "a" * 3_000}, {"seeds": ["sitemap:nofile"]},
            {"world": "live", "seeds": ["http://10.0.0.1/"]}, {"words": {"a": 1}}, {"words": {"a": 2}}, {"words": [1]},
            {"classes": ["a", "b"], "strategy": "best_first"}, {"classes": ["a"], "join": "0.5"}, {"cover": "x"},
            {"topic": "sports", "classes": ["a"]},
            {"seeds": 7}, {"strategy": "its", "parameters": {"length": "-1"}}, {"accept": [""], "world": "nowhere"},
            {"seeds": ["feed:http://a.example/f#since=x"]}, {"parameters": {"a=b": "1"}}, {"parameters": [1]},
        )
    ),
    ("api/crawls/nothing/pause", {}),
    ("api/crawls/classes", {"topic": "sports", "classes": ["a"]}),
    ("api/crawls/classes", {"class": "a"}),
    ("api/ontologies/rainstorm/gaps", {"limit": 0}),
    ("api/ontologies/rainstorm/rollback", {}),
    ("api/review/later", {}),
    ("api/proposals", {"ids": "x"}),
    ("api/proposals", {"topic": "rainstorm", "ids": ["x"], "action": "accept"}),
    ("api/proposals/x", {"action": "perhaps"}),
    ("api/proposals/x", {"action": "accept", "seen": "x"}),
    ("api/review/later", {"topic": "rainstorm", "ids": ["x"], "later": "no"}),
    ("api/ontologies/rainstorm/apply", {"dryrun": True}),
    ("api/ontologies/rainstorm/apply", {"dry_run": "yes"}),
    ("api/ontologies/rainstorm/rollback", {"version": "1", "x": 1}),
)  # fmt: skip


def error_of(answer: requests.Response) -> str:
    """Return the message of an error, of a page or of the interface."""
    if answer.headers["content-type"] == "application/json":
        return str(answer.json()["error"])
    found = re.search(r"</h1>\s*<p>(.*?)</p>", answer.text, re.DOTALL)
    assert found is not None
    return found[1]


def both(served: Prepared, path: str, **request: Any) -> tuple[str, str, int]:
    """Return the error of a request in Chinese and in English, and its status."""
    method = "POST" if "json" in request else "GET"
    answers = [
        requests.request(
            method, served.address.url + path, timeout=60, **request,
            headers={"Accept-Language": accepted, "Authorization": f"Bearer {served.address.token}"},
        )
        for accepted in ("zh-CN,zh;q=0.9", "en")
    ]  # fmt: skip
    zh, en = (error_of(answer) for answer in answers)
    return zh, en, answers[0].status_code


@pytest.mark.slow
@pytest.mark.parametrize(("path", "parameters", "status"), READ, ids=lambda value: str(value)[:40])
def test_an_error_of_a_page_is_in_its_language(
    served: Prepared, path: str, parameters: dict[str, str], status: int
) -> None:
    zh, en, found = both(served, path, params=parameters)
    said, _, names = en.partition(". Choices: ")  # names in the graph may be Chinese: the same on both pages
    assert found == status and CHINESE.search(zh) and not CHINESE.search(said)
    assert zh.endswith(names)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "sent"), SENT, ids=lambda value: str(value)[-40:])
def test_what_is_wrong_in_a_form_is_said_in_its_language(served: Prepared, path: str, sent: dict[str, Any]) -> None:
    zh, en, status = both(served, path, json=sent)
    assert status == (404 if "nothing" in path else 400) and CHINESE.search(zh) and not CHINESE.search(en)


def test_a_change_without_a_token_is_refused_in_the_language(served: Prepared) -> None:
    answer = requests.post(f"{served.address.url}api/crawls", json={}, headers={"Accept-Language": "zh"}, timeout=60)
    assert answer.status_code == 401 and CHINESE.search(answer.json()["error"])
