"""Every reason code that the program can produce has a sentence in the one table of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler import read_pages, reasons
from crawler.crawl import INTERRUPTED
from crawler.fetching.retries import NO_RESPONSE, RETRIES
from crawler.journal import ledger
from crawler.protocol import STRATEGY_FINISHED
from crawler.scope import hosts as scope_hosts

CRAWLER = Path(__file__).resolve().parents[2] / "crawler"
MAKERS = {"Failure": 1, "NetworkError": 0, "HeaderError": 0}
"""Name of a class -> position of its reason code among the arguments."""
NAMES = {"reason", "failure"}
NO_CODES = {
    "scope_of": "a function",
    "accepted": "the reason of a rule that accepts",
    "offered": "a link that is about to be offered to the strategy",
}


def _texts(node: ast.expr | None) -> Iterator[str]:
    """The texts that an expression can be: constants, both branches of a condition, values of a table."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        yield str(node.values[0].value)


def _codes_of(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """(code, line) of every place of a module that makes a reason code."""
    for node in ast.walk(tree):
        found: list[ast.expr | None] = []
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in MAKERS and len(node.args) > MAKERS[name]:
                found.append(node.args[MAKERS[name]])
            found += [keyword.value for keyword in node.keywords if keyword.arg in NAMES]
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            found += [node.value for target in targets if getattr(target, "id", "") in NAMES]
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "left":
            found.append(node.slice)
        elif isinstance(node, ast.FunctionDef) and "return the reason" in (ast.get_docstring(node) or "").lower():
            found += [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return)]
        elif isinstance(node, ast.FunctionDef) and "reason" in node.name:
            found += [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return)]
            tables = (inner for inner in ast.walk(node) if isinstance(inner, ast.Tuple))
            found += [item for table in tables for item in table.elts]
        for value in found:
            yield from ((text, node.lineno) for text in _texts(value))


def _codes() -> Iterator[tuple[str, str]]:
    for path in sorted(CRAWLER.rglob("*.py")):
        if "conformance" in path.parts or path.name == "reasons.py":
            continue
        for text, line in _codes_of(ast.parse(path.read_text(encoding="utf-8"))):
            if text and text.replace("_", "").isalnum() and text.islower():
                yield text, f"{path.relative_to(CRAWLER)}, line {line}"


def _codes_of_the_scope() -> Iterator[tuple[str, str]]:
    """Every text of several words joined by underscores in crawler/scope: a code, or in NO_CODES."""
    for path in sorted((CRAWLER / "scope").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
            if is_text and re.fullmatch(r"[a-z]+(?:_[a-z]+)+", node.value):
                yield node.value, f"{path.relative_to(CRAWLER)}, line {node.lineno}"


def is_known(code: str) -> bool:
    return reasons._key(code) in reasons.REASONS


@pytest.mark.slow
def test_every_code_in_the_source_has_a_sentence() -> None:
    made = dict([*_codes(), *_codes_of_the_scope()])
    missing = {
        code: place
        for code, place in made.items()
        if code not in NO_CODES and not is_known(f"{code}200" if code == "http_" else code)
    }
    assert missing == {}, "add these codes to crawler/reasons.py"
    # the search finds what it is meant to find
    assert {
        "robots_denied",
        "media_suffix",
        "timeout",
        "dns",
        "empty",
        "too_large",
        "nofollow",
        "http_",
        "host_cap",
    } <= made.keys()


def test_codes_in_tables_have_a_sentence() -> None:
    canonical = (read_pages.REDIRECTED, read_pages.CANONICAL, read_pages.SOFT_404, read_pages.OTHER_TEXT)
    fates = (ledger.FETCHED, ledger.QUEUED, ledger.IN_FLIGHT, ledger.READ_BY_REDIRECT, ledger.READ_BY_CANONICAL)
    tables = (*NO_RESPONSE, *RETRIES, *scope_hosts.KINDS.values(), *canonical, *fates, ledger.NOINDEX)
    for code in (*tables, STRATEGY_FINISHED, INTERRUPTED, "admitted", "visited"):
        assert is_known(code), code


@pytest.mark.parametrize("status", [*range(100, 105), 201, 304, 400, 403, 404, 418, 429, 451, 500, 503, 599])
def test_every_status_has_a_sentence(status: int) -> None:
    assert is_known(f"http_{status}")
    assert reasons.meaning(f"http_{status}").happened.endswith(".")


def test_sentences_are_sentences() -> None:
    for code, reason in reasons.REASONS.items():
        assert code == code.lower() and " " not in code
        assert reason.happened[0].isupper() and reason.happened.endswith("."), code
        assert not reason.advice or reason.advice.endswith("."), code
        assert len(reason.happened) <= 120, code
        assert str(reason).strip() == f"{reason.happened} {reason.advice}".strip()


def test_a_code_of_a_later_version_is_named() -> None:
    assert not is_known("from_tomorrow")
    assert "from_tomorrow" in reasons.meaning("from_tomorrow").happened
    assert not is_known("http_x04") and not is_known("http_999")
