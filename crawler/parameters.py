"""What a parameter must be, and what it says of itself.

Each check names the parameter, its range and what it was given; ranges and meanings are read back from these messages
and from the source, so that nothing is said twice.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
import textwrap
from collections.abc import Sequence
from itertools import pairwise


def require_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Raises ValueError where the value of a parameter is none of its choices."""
    if value not in choices:
        raise ValueError(f"parameter {name} must be one of {', '.join(choices)}, not {value!r}")


def require_range(name: str, value: float, low: float, high: float) -> None:
    """Raises ValueError where the value of a parameter is not in [low, high]."""
    if not low <= value <= high:
        raise ValueError(f"parameter {name} must lie in [{low:g}, {high:g}], not {value!r}")


def check_sum(**weights: float) -> None:
    """Raises ValueError, which names them, where weights are not numbers >= 0 of sum 1."""
    values = tuple(weights.values())
    if min(values) < 0.0 or not math.isclose(sum(values), 1.0, abs_tol=1e-9):
        raise ValueError(f"parameters {', '.join(weights)} must be {len(values)} numbers >= 0 of sum 1, not {values}")


def meanings(cls: type) -> dict[str, str]:
    """What each field of a dataclass of parameters means: the text that stands below it in the source, on one line."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__[:-1]):
        for definition in ast.parse(textwrap.dedent(inspect.getsource(base))).body:
            for field, below in pairwise(getattr(definition, "body", [])):
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    found[field.target.id] = _text(below) or found.get(field.target.id, "")
    return found


def allowed(cls: type, name: str, default: object) -> str:
    """Range or choices of a parameter, as the message has them that refuses a value; empty where any value will do."""
    refused: object = {bool: None, int: -(10**30), float: -1e300, str: "\0"}[type(default)]
    if refused is None:
        return "true, false"
    try:
        cls(**{name: refused})
    except ValueError as error:
        stated = re.search(r" must (?:be one of:? |lie in |be )(.*?),? not ", str(error))
        return stated[1] if stated else ""
    return ""


def _text(node: ast.stmt) -> str:
    """A statement that is a text, on one line; empty for any other."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return " ".join(node.value.value.split())
    return ""
