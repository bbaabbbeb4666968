"""The program that crawls a cell, as a digest: what only other strategies import does not count."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from crawler.strategies import registry
from ontocrawl.lab import brief_crawl, crawling, kept_pages, look_ahead, oracle, printed_dp, trace
from ontocrawl.versions import building

_PACKAGES = ("crawler", "ontology")
"""Packages whose source and data count, and whose imports are followed."""
_LAB = (brief_crawl, crawling, kept_pages, look_ahead, oracle, printed_dp, trace)
_MODULES = tuple(module.__name__ for module in _LAB)
"""What crawls a cell, whatever its strategy."""
_KINDS = (".py", ".toml", ".txt", ".tsv", ".gz")


@cache
def program(strategy: str | None = None) -> str:
    """Return a digest of the source and data with which a strategy, by default any, crawls in the lab.

    A change of one strategy leaves the digests of the others as they are. A strategy that looks others up by name, such
    as a mixture, depends on all of them.

    Args:
        strategy: a registered name, ``package.module:Class`` or ``FILE.py:Class``.

    Raises:
        UnknownStrategyError: there is no such strategy.
        StrategyError: the class is no complete strategy.
    """
    registered = _reached(cls.__module__ for cls in registry.STRATEGIES.values())
    places = [] if strategy is None else [registry.get(strategy).__module__]
    own = _reached([*places, *_MODULES])
    if strategy is None or registry.__name__ in _reached(places):
        own |= registered
    of_others = set(registered.values()) - set(own.values())
    return _digest({*own.values(), *_sources()} - of_others)


@cache
def learner() -> str:
    """Return a digest of the source and data with which `ontology build` makes a topic of abstracts."""
    rooms = [Path(str(sys.modules[name].__file__)).parent for name in ("ontology", "ontocrawl.topics")]
    found = [path for room in rooms for path in room.rglob("*") if path.suffix in _KINDS]
    return _digest({*found, Path(building.__file__)})


def _digest(paths: Collection[Path]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(paths):
        digest.update(f"{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def _reached(names: Iterable[str]) -> dict[str, Path]:
    """Return the file of each module that some modules import, themselves included; imports in functions count."""
    found: dict[str, Path] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        path = None if name in found else _file(name)
        if path is not None:
            found[name] = path
            waiting += _imports(path, name)
    return found


@cache
def _imports(path: Path, module: str) -> tuple[str, ...]:
    """Return the names of the followed packages that a file imports: modules, and what may be one."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    names = [name for node in ast.walk(ast.parse(path.read_bytes())) for name in _named(node, package)]
    return tuple(name for name in names if name.split(".")[0] in _PACKAGES)


def _named(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - max(node.level - 1, 0)] if node.level else []
        base = ".".join([*above, *([node.module] if node.module else [])])
        yield base
        yield from (f"{base}.{alias.name}" for alias in node.names)


@cache
def _file(name: str) -> Path | None:
    """Return the file of a module; None for a name that is none, such as that of a class."""
    loaded = getattr(sys.modules.get(name), "__file__", None)
    if loaded is not None:
        return Path(loaded)
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:  # a class has no submodules
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin)


@cache
def _sources() -> tuple[Path, ...]:
    roots = [Path(str(sys.modules[name].__file__)).parent for name in _PACKAGES]
    return tuple(path for root in roots for path in root.rglob("*") if path.suffix in _KINDS)
