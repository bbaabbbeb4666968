"""Errors in the language of the page: their Chinese texts, and that these still belong to what is raised."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import requests

from ontocrawl.explorer import language, messages
from ontocrawl.explorer.serving import Prepared

PACKAGES = ("ontocrawl", "crawler", "queries")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
WORLD = {"world": "synthetic:planted?pages=600&seed=0"}
READ: tuple[tuple[str, dict[str, str], int], ...] = (
    ("nowhere", {}, 404),
    ("api/nowhere", {}, 404),
    ("ontologies/sports", {}, 404),
    ("ontologies/nothing", {}, 400),
    ("ontologies/rainstorm", {"level": "9"}, 400),
    ("api/ontologies/rainstorm/class", {"class": "x"}, 404),
    ("api/ontologies/rainstorm/difference", {"old": "7", "new": "8"}, 400),
    ("crawls/nothing", {}, 400),
    ("crawls/a:b", {}, 400),
    ("crawls", {"by": "x"}, 400),
    ("crawls/_compare", {}, 400),
    ("crawls/x/page", {}, 400),
    ("lattice/rainstorm", {"context": "x"}, 400),
    ("api/tasks/1", {}, 400),
    ("api/queries/nothing/there", {}, 400),
    ("api/cypher", {"parameters": "x"}, 400),
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
            {"topic": "sports", "strategy": "fcosa_lg"}, {"host": "a" * 3_000},
        )
    ),
    ("api/crawls/nothing/pause", {}),
    ("api/ontologies/rainstorm/rollback", {}),
    ("api/review/later", {}),
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


@pytest.mark.parametrize(("path", "parameters", "status"), READ, ids=lambda value: str(value)[:40])
def test_an_error_of_a_page_is_in_its_language(
    served: Prepared, path: str, parameters: dict[str, str], status: int
) -> None:
    zh, en, found = both(served, path, params=parameters)
    assert found == status and CHINESE.search(zh) and not CHINESE.search(en)


@pytest.mark.parametrize(("path", "sent"), SENT, ids=lambda value: str(value)[-40:])
def test_what_is_wrong_in_a_form_is_said_in_its_language(served: Prepared, path: str, sent: dict[str, Any]) -> None:
    zh, en, status = both(served, path, json=sent)
    assert status == 400 and CHINESE.search(zh) and not CHINESE.search(en)


def test_a_change_without_a_token_is_refused_in_the_language(served: Prepared) -> None:
    answer = requests.post(f"{served.address.url}api/crawls", json={}, headers={"Accept-Language": "zh"}, timeout=60)
    assert answer.status_code == 401 and CHINESE.search(answer.json()["error"])


def test_values_of_a_message_are_those_that_were_given() -> None:
    assert messages.said("limit: expected a number from 1 to 1000", "zh") == "limit：需要 1 至 1000 的数"
    assert messages.said("no such message", "zh") == "no such message"
    assert messages.said("topic {x} has no ontologies", "zh") == "主题 {x} 没有本体"


def _texts() -> dict[str, str]:
    return {key: text for key, text in language.texts("en").items() if key.startswith(messages.KEY)}


def test_both_texts_have_the_same_places() -> None:
    for key, text in _texts().items():
        places = set(re.findall(r"\{\w+\}", language.texts("zh")[key]))
        assert places <= set(re.findall(r"\{\w+\}", text)), key


def test_each_text_is_raised_somewhere() -> None:
    """A message that is changed where it is raised has to be changed among the texts too."""
    root = Path(__file__).parents[3]
    sources = [path.read_text("utf-8") for package in PACKAGES for path in (root / package).rglob("*.py")]
    code = re.sub(r'"\s*\n\s*f?"', "", "\n".join(sources)).replace("\\\\", "\\")
    foreign = ("Input should", "Not Found", "Method Not Allowed")  # of pydantic and Starlette
    pieces = {key: max(re.split(r"\{\w+\}|[;:] ?", text), key=len) for key, text in _texts().items()}
    gone = {key: piece for key, piece in pieces.items() if piece.strip(" '") not in code and not _any(foreign, piece)}
    assert not gone


def _any(parts: tuple[str, ...], text: str) -> bool:
    return any(part in text for part in parts)
