"""Errors in the language of the page: their Chinese texts, and that these still belong to what is raised."""

from __future__ import annotations

import ast
import re
import time
from pathlib import Path
from typing import Any

import pytest
import requests

import queries
from crawler.worlds.addresses import V4_BLOCKS, V6_BLOCKS
from ontocrawl.explorer import rendering
from ontocrawl.explorer.app import Prepared
from ontocrawl.graph.query_parameters import NEEDS

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


def test_values_of_a_message_are_those_that_were_given() -> None:
    assert rendering.said("limit: expected a number from 1 to 1000", "zh") == "limit：需要 1 至 1000 的数"
    assert rendering.said("no such message", "zh") == "no such message"
    assert rendering.said("topic {x} has no ontologies", "zh") == "主题 {x} 没有本体"


def _texts() -> dict[str, str]:
    return {key: text for key, text in rendering.texts_in("en").items() if key.startswith(rendering._KEY)}


FOREIGN = frozenset({"ValueError", "TypeError", "RuntimeError", "AttributeError", "AssertionError", "HeaderError"})
"""Errors that are defects, of the program or of its own files, or that are turned into another one."""
OWN = {
    "ReportError": "curves that the server draws", "MetricsError": "figures that the server counts",
    "ReplyError": "answers that are typed in a terminal", "PydanticCustomError": "the user agent, set in a file",
}  # fmt: skip
CALLED = (
    "crawler/parameters.py", "crawler/scope/hosts.py", "crawler/scope/scope.py", "crawler/seeds/source.py",
    "kg/bolt.py", "ontocrawl/runs/crawl_request.py", "ontocrawl/runs/plan.py",
    "ontocrawl/topics/class_topics.py", "ontocrawl/graph/query_parameters.py", "ontocrawl/runs/seeds.py",
    "ontocrawl/settling/session.py", "ontocrawl/settling/state.py", "ontocrawl/settling/terms.py",
    "ontocrawl/topics/version_files.py", "ontology/competency.py", "ontology/lattice/exploration.py",
    "queries/header.py",
)  # fmt: skip
"""Modules below those that the routes import, whose errors reach a page."""
NOT_CALLED = {
    ("kg/bolt.py", "_plain"), ("ontocrawl/runs/runs.py", "folder_for"), ("ontocrawl/topics/topic_files.py", "label_of"),
    ("ontocrawl/topics/topic_files.py", "require_field"), ("ontocrawl/topics/topic_files.py", "require_name"),
}  # fmt: skip
"""Functions of these files whose errors only a command meets."""
FILLS = (
    "x1", "", "; did you mean 'x1'?", "; did you mean 'x1'? Choices: x1, x2", ". Choices: x1", "; known: x1",
    " Did you mean x1?", "is no version here", "is also liked or disliked", "is neither a folder nor a file",
    " is not a regular expression (x1): correct it, or escape the character with \\", "rename= or merge=",
    "x1; did you mean x1?", "run x1 crawls by x1", "the crawl is by ",
)  # fmt: skip
"""What may stand in a place of a message: a value, nothing, a hint, or another piece of a sentence."""


def _of(module: str) -> Path | None:
    """Return the file of a module of the project."""
    place = ROOT.joinpath(*module.split("."))
    return next((file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()), None)


def _modules() -> set[Path]:
    """Return the files of the routes, of all that they import from the project, and of CALLED."""
    routes = set((ROOT / "ontocrawl/explorer/routes").glob("*.py"))
    imported = {
        f"{node.module}.{name.name}" if _of(f"{node.module}.{name.name}") else str(node.module)
        for route in routes
        for node in ast.walk(ast.parse(route.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in PACKAGES
        for name in node.names
    }
    return routes | {file for module in imported if (file := _of(module))} | {ROOT / file for file in CALLED}


def _texts_of(call: ast.Call) -> set[str]:
    """Return what the message of an error may be, with each of FILLS in all places whose values are not known."""
    name = ast.unparse(call.func).rpartition(".")[2]
    first_is_no_text = name in ("FieldError", "HTTPException")
    parts = call.args[1:] if first_is_no_text else call.args[:1] if name.endswith("ParameterError") else call.args
    return {"".join(_piece(part, fill) for part in parts) for fill in FILLS}


def _piece(node: ast.expr, fill: str) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_piece(value, fill) for value in node.values)
    if isinstance(node, ast.BinOp):
        return _piece(node.left, fill) + _piece(node.right, fill)
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "Option":
        return "like=x1"
    is_whole = isinstance(node, ast.FormattedValue) and (node.conversion == ord("r") or _is_value(node.value))
    return "x1" if is_whole else fill


def _is_value(node: ast.expr) -> bool:
    """Return whether a place has a value, not a piece of a sentence: an attribute, or a call of a list's `join`."""
    return isinstance(node, ast.Attribute) or (isinstance(node, ast.Call) and "join" in ast.unparse(node.func))


def test_every_error_that_a_route_can_meet_has_a_chinese_text() -> None:
    """All `raise` of the routes and of what they call: a new error needs its text in `texts`."""
    english, seen = [], 0
    for file in sorted(_modules()):
        tree = ast.parse(file.read_text("utf-8"))
        left_out = {
            id(node) for function in ast.walk(tree) if isinstance(function, ast.FunctionDef)
            if (file.relative_to(ROOT).as_posix(), function.name) in NOT_CALLED for node in ast.walk(function)
        }  # fmt: skip
        for node in (node for node in ast.walk(tree) if id(node) not in left_out):
            if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args):
                continue
            name = ast.unparse(node.exc.func).rpartition(".")[2]
            texts = {text for text in _texts_of(node.exc) if re.search("[a-z]{2}", text.replace("x1", ""))}
            if not name.endswith(("Error", "Exception")) or name in FOREIGN | OWN.keys():
                continue
            seen += 1
            if not any(CHINESE.search(rendering.said(text, "zh")) for text in texts):
                english.append(f"{file.relative_to(ROOT)}:{node.lineno} {ast.unparse(node.exc)[:150]}")
    assert seen > 150
    assert not english, "\n".join(english)


def test_why_there_are_no_rows_has_a_chinese_text() -> None:
    sentences = [need.without for need in NEEDS.values()] + [query.none for query in queries.all_queries()]
    texts = [re.sub(r"\{[^}]*\}", "x1", sentence) for sentence in sentences if sentence]
    assert not [text for text in texts if not CHINESE.search(rendering.said(text, "zh"))]


def test_the_purpose_of_a_blocked_address_has_a_chinese_text() -> None:
    purposes = {purpose for _, purpose in (*V4_BLOCKS, *V6_BLOCKS)} | {"a private address (10.0.0.1) within IPv6"}
    assert not [purpose for purpose in purposes if not CHINESE.search(rendering.said(purpose, "zh"))]


def test_a_long_message_of_others_is_compared_in_a_short_time() -> None:
    for text in (": " * 1_990, "x, line y: " * 350, "= : = : " * 480, "a: b: c (found " * 250):
        began = time.process_time()
        rendering.said(text, "zh")
        assert time.process_time() - began < 5


def test_both_texts_have_the_same_places() -> None:
    for key, text in _texts().items():
        places = set(re.findall(r"\{\w+\}", rendering.texts_in("zh")[key]))
        assert places <= set(re.findall(r"\{\w+\}", text)), key


def test_each_text_is_raised_somewhere() -> None:
    """A message that is changed where it is raised has to be changed among the texts too."""
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.suffix in (".py", ".cypher"))
    sources = [path.read_text("utf-8") for path in files]
    code = re.sub(r'"\s*\n\s*f?"', "", "\n".join(sources)).replace("\\\\", "\\").replace("\\n", "\n")
    code = code.replace("\n// none:", "")
    foreign = ("Input should", "Not Found", "Method Not Allowed")  # of pydantic and Starlette
    pieces = {key: max(re.split(r"\{\w+\}|[;:] ?", text), key=len) for key, text in _texts().items()}
    gone = {key: piece for key, piece in pieces.items() if piece.strip(" '.?") not in code and not _any(foreign, piece)}
    assert not gone


def _any(parts: tuple[str, ...], text: str) -> bool:
    return any(part in text for part in parts)
