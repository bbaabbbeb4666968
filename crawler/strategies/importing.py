"""Strategies that are not registered: import them by name, and check that they are complete."""

from __future__ import annotations

import re
import sys
from dataclasses import is_dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from crawler.strategies.base import Strategy
from ontology.errors import OntocrawlError

NAME = r"[a-z][a-z0-9]*(_[a-z0-9]+)*"
"""Pattern of the name of a strategy: snake case."""


class UnknownStrategyError(OntocrawlError, LookupError):
    """There is no strategy of this name; the message suggests the nearest one."""


class StrategyError(OntocrawlError, TypeError):
    """A class that is no complete strategy; the message says what to add."""


def import_class(place: str, class_: str) -> type[Strategy]:
    """Import a strategy from a module or from a file, which is run once.

    Args:
        place: name of the module, or path of the file.
        class_: name of the class.

    Raises:
        UnknownStrategyError: there is no such file, module or class.
        StrategyError: the class is no complete strategy.
    """
    try:
        module = _run(Path(place).resolve()) if place.endswith(".py") else import_module(place)
    except (ImportError, OSError, SyntaxError) as error:
        raise UnknownStrategyError("strategies.cannot_imported", place=place, error=error) from error
    candidate = getattr(module, class_, None)
    if not (isinstance(candidate, type) and issubclass(candidate, Strategy)):
        raise UnknownStrategyError("strategies.no_class_crawler_strategies", place=place, class_=class_)
    require_complete(candidate)
    return candidate


def _run(path: Path) -> ModuleType:
    for name in (path.stem, "__main__"):
        known = sys.modules.get(name)
        if known is not None and getattr(known, "__file__", None) and Path(str(known.__file__)).resolve() == path:
            return known
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError("it is not a Python file")
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def place_of(cls: type[Strategy]) -> str:
    """Return MODULE:CLASS, or FILE.py:CLASS for a class of the program that runs.

    Raises:
        StrategyError: the class is not at the top level of a file.
    """
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None)
    if file is None or getattr(module, cls.__name__, None) is not cls:
        raise StrategyError("strategies.strategy_define_class_top", name=cls.__name__)
    return f"{Path(file).resolve() if cls.__module__ == '__main__' else cls.__module__}:{cls.__name__}"


def require_complete(cls: type) -> None:
    """Check that a class has what the crawl uses of a strategy, before an object of it is made.

    Raises:
        StrategyError: an attribute or a method is missing, or an attribute has another form.
    """
    if not issubclass(cls, Strategy):
        raise StrategyError("strategies.no_strategy_derive_crawler", name=cls.__name__)
    texts = [name for name in ("name", "title", "paper") if not _is_text(getattr(cls, name, None))]
    missing = [f'{name} = ".."' for name in texts] + [f"def {name}(..)" for name in sorted(cls.__abstractmethods__)]
    if missing:
        raise StrategyError("strategies.strategy_not_complete_add", name=cls.__name__, missing=", ".join(missing))
    if not re.fullmatch(NAME, cls.name):
        raise StrategyError("strategies.strategy_name_must_snake", name=cls.__name__, given=cls.name)
    for name in ("vocabularies", "features", "page_parts"):
        if isinstance(getattr(cls, name), str):
            raise StrategyError(
                "strategies.strategy_must_tuple_such", name=cls.__name__, field=name, value=getattr(cls, name)
            )
    if not (isinstance(cls.Parameters, type) and is_dataclass(cls.Parameters)):
        raise StrategyError("strategies.strategy_parameters_must_frozen", name=cls.__name__)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
