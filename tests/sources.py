"""The Python files of the project as syntax trees, parsed once for all tests of a worker that look at them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("ontology", "kg", "crawler", "queries", "ontocrawl")


def files(*packages: str) -> list[Path]:
    """The Python files of packages, in the order of their paths."""
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file."""
    return tuple(ast.walk(tree(path)))
