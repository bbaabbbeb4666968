"""The crawling strategies; to add one, add a file and a line in registry.py."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from crawler import parameters
from crawler.strategies.base import Strategy
from crawler.strategies.importing import StrategyError, UnknownStrategyError
from crawler.strategies.registry import STRATEGIES, create, get, place_of

__all__ = [
    "STRATEGIES", "Strategy", "StrategyError", "UnknownStrategyError", "about", "create", "describe", "get", "place_of",
]  # fmt: skip


def about(cls: type[Strategy]) -> dict[str, dict[str, str]]:
    """Return the meaning and the allowed values of each parameter, by its name."""
    return parameters.about(cls.Parameters)


def describe(classes: Iterable[type[Strategy]] | None = None) -> list[dict[str, Any]]:
    """Return strategies as plain values.

    Args:
        classes: the strategies; all registered ones by default.

    Returns:
        For each its name, title, paper, guides, parameters with their defaults, about (meaning and allowed values of
        each parameter), the rules whose effect runs count, and readings by trap.
    """
    return [
        {
            "name": cls.name,
            "title": cls.title,
            "paper": cls.paper,
            "guides": list(strategy.guides or (strategy.guide,)),
            "parameters": asdict(cls.Parameters()),
            "about": about(cls),
            "rules": dict(cls.rules),
            "readings": dict(cls.readings),
        }
        for cls, strategy in ((cls, cls()) for cls in (STRATEGIES.values() if classes is None else classes))
    ]
