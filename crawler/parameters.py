"""What a parameter must be: each check names the parameter, its range and what it was given."""

from __future__ import annotations

import math
from collections.abc import Sequence


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
