"""The house rules that a program can check: sizes, names, honest files."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ontology", "kg", "crawler", "queries", "ontocrawl", "ontologies", "tools")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def _functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_sizes(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    limit = 149 if path.parent.name == "strategies" else 400
    assert lines <= limit, f"{path.name} has {lines} lines: it holds more than one idea"
    long = {name: length for name, length in _functions(path) if length > 60}
    assert not long, f"functions of more than 60 lines: {long}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_says_what_it_is(path: Path) -> None:
    assert path.stem not in {"utils", "helpers", "manager", "common", "misc"}
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), f"{path} has no docstring"


def test_ontologies_holds_data_only() -> None:
    assert [path.name for path in (ROOT / "ontologies").rglob("*.py")] == ["__init__.py"]
    assert len(ast.parse((ROOT / "ontologies" / "__init__.py").read_text(encoding="utf-8")).body) == 1


def test_test_folders_are_packages() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    assert all((folder / "__init__.py").exists() for folder in folders)


def test_a_worker_takes_whole_files(request: pytest.FixtureRequest) -> None:
    """The groups of conftest.py are in force; pytest-xdist appends the group to the name of a test."""
    if not request.config.getoption("loadgroup", False):
        pytest.skip("not run by `--dist loadgroup`")
    assert request.node.nodeid.endswith("@tests/test_house.py")


def test_no_unfinished_work() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b|except( Exception)?:\s*pass")
    found = [str(path.relative_to(ROOT)) for path in SOURCES if marks.search(path.read_text(encoding="utf-8"))]
    assert not found


def test_no_addresses_of_package_registries() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    address = re.compile(r"https?://[^\s\"]*(pypi|simple/|registry|mirror)[^\s\"]*")
    named = [
        name for name in tracked
        if name.endswith((".toml", ".txt", ".cfg", ".lock", ".xml", "Makefile", "run")) and (ROOT / name).is_file()
        and address.search((ROOT / name).read_text(encoding="utf-8"))
    ]  # fmt: skip
    assert not named
