"""Errors: one base class for all, and options named as the command line or Python names them."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pickle
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ontocrawl
from ontocrawl import errors, exceptions
from ontocrawl.errors import NotInGraphError, OntocrawlError, Option, UsageError
from tests.ontocrawl.conftest import Command, command  # noqa: F401 - a fixture

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("ontology", "queries", "kg", "crawler", "ontocrawl")
INTERNAL = {
    "_DamagedError",
    "_HeadsStayed",
    "_TooSlowError",
    "CodingError",
    "DocumentError",
    "HeaderError",
    "NetworkError",
    "TooLargeError",
    "TooManyConcepts",
}
"""Exceptions that a caller within the package always catches."""
ONLY_COMMANDS = (
    "ontocrawl/cli/", "ontocrawl/demo/", "ontocrawl/runs/training.py", "kg/export.py", "kg/interchange/admin_csv.py",
    "ontology/owl/reasoning.py", "ontocrawl/health/doctor.py",
)  # fmt: skip
"""Places whose errors no function of the Python interface raises."""
MCP = importlib.util.find_spec("mcp") is not None
"""Whether the extra is installed that one module needs."""


def exceptions_of_the_packages() -> Iterator[type[Exception]]:
    for package in PACKAGES:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if not module.name.endswith("__main__") and (module.name != "ontocrawl.mcp.serving" or MCP):
                for value in vars(importlib.import_module(module.name)).values():
                    if isinstance(value, type) and issubclass(value, Exception) and value.__module__ == module.name:
                        yield value


def test_all_errors_have_one_base() -> None:
    found = list(exceptions_of_the_packages())
    assert len(found) > 60
    assert {kind.__name__ for kind in found if not issubclass(kind, OntocrawlError)} == INTERNAL
    assert ontocrawl.OntocrawlError is exceptions.OntocrawlError is OntocrawlError
    assert ontocrawl.exceptions is exceptions
    for name in exceptions.__all__:
        assert issubclass(getattr(exceptions, name), OntocrawlError)


def test_bases_of_before_stay() -> None:
    for kind in (exceptions.ContextError, exceptions.CorpusError, exceptions.QueryError, exceptions.SetupError):
        assert issubclass(kind, ValueError)
    assert issubclass(exceptions.MissingExtra, RuntimeError)
    assert issubclass(exceptions.UnknownStrategyError, LookupError)


def test_an_error_quoted_in_another_keeps_its_options() -> None:
    inner = UsageError("give ", Option("--seeds URL"))
    outer = errors.CommandError("topic t: ", inner, ", or ", Option("--graph", "graph=True"))
    assert str(outer) == "topic t: give seeds=URL, or graph=True"
    assert outer.on_command_line() == "topic t: give --seeds URL, or --graph"
    assert str(OntocrawlError()) == "" and str(UsageError(3)) == "3"


def test_errors_survive_pickling() -> None:
    error = pickle.loads(pickle.dumps(NotInGraphError("run ", Option("--run x"), kind="crawl")))
    assert (str(error), error.on_command_line(), error.kind) == ("run run=x", "run --run x", "crawl")


def options_in_messages(source: str) -> Iterator[int]:
    """Yield the lines of raised errors with an option as plain text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith(("Error", "Stop")):
            options = {id(part) for call in ast.walk(node) if _is_option(call) for part in ast.walk(call)}
            for part in ast.walk(node):
                text = part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else ""
                if id(part) not in options and re.search(r"(^|[\s(`])--[a-z]", text):
                    yield part.lineno


def _is_option(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Option"


def test_the_search_for_options_finds_them() -> None:
    assert list(options_in_messages('raise UsageError(f"{x}: give --seeds")')) == [1]
    assert list(options_in_messages('raise UsageError("give ", Option("--seeds"))')) == []


@pytest.mark.slow
def test_no_error_names_an_option_of_a_command_in_plain_text() -> None:
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    named = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in files
        if not path.relative_to(ROOT).as_posix().startswith(ONLY_COMMANDS)
        for line in options_in_messages(path.read_text(encoding="utf-8"))
    ]
    assert named == []


def test_each_interface_names_its_own_options(command: Command, tmp_path: Path) -> None:  # noqa: F811
    topic = tmp_path / "sports.toml"
    where = ("--workspace", tmp_path)
    command("topic", "build", "sports", "--corpus", ROOT / "ontocrawl" / "sample" / "abstracts.txt", "--out", topic)
    told = command("crawl", "run", "--topic", topic, "--strategy", "breadth_first", *where)
    assert told.code == 2 and "no seeds: give --seeds URL" in told.err
    with pytest.raises(UsageError, match=r"no seeds: give seeds=\[URL\]"):
        ontocrawl.crawl(topic, strategy="breadth_first", workspace=tmp_path)
    told = command("crawl", "run", "--topic", topic, "--strategy", "breadth_first", "--param", "x=1", *where)
    assert told.code == 2 and "--param: " in told.err
    with pytest.raises(UsageError, match=r"^parameters: "):
        ontocrawl.crawl(topic, strategy="breadth_first", parameters={"x": 1}, workspace=tmp_path)
    with pytest.raises(UsageError, match="give workspace=, or create one"):
        ontocrawl.Graph(tmp_path / "none")
