"""Parameters of strategies: each one is declared once, with its default, its meaning and its limits.

    @dataclass(frozen=True)
    class TabuParameters(CheckedParameters):
        length: int = parameter(20, "Moves for which a link stays in the tabu list.", Range(0, 10**6))

Creating an instance checks every value against its declaration; the lists of ``ontocrawl crawl strategies`` and
docs/strategies.md are written from the same declarations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
_DECLARED = "crawler.parameters"
"""Key of the declaration in the metadata of a dataclass field."""


def require_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Raise ValueError unless the value of a parameter is one of its choices."""
    if value not in choices:
        raise ValueError(f"parameter {name} must be one of {', '.join(choices)}, not {value!r}")


def require_range(name: str, value: float, low: float, high: float) -> None:
    """Raise ValueError unless the value of a parameter is in [low, high]."""
    if not low <= value <= high:
        raise ValueError(f"parameter {name} must lie in [{low:g}, {high:g}], not {value!r}")


def check_sum(**weights: float) -> None:
    """Raise ValueError, naming the parameters, unless the weights are numbers >= 0 of sum 1."""
    values = tuple(weights.values())
    if min(values) < 0.0 or not math.isclose(sum(values), 1.0, abs_tol=1e-9):
        raise ValueError(f"parameters {', '.join(weights)} must be {len(values)} numbers >= 0 of sum 1, not {values}")


# ---- limits ---------------------------------------------------------------------------------------------------------


class Limits(Protocol):
    """The values that a parameter may have; ``str`` describes them to a user."""

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError, naming the parameter, unless the value is allowed."""


@dataclass(frozen=True)
class Range:
    """A number in [low, high]."""

    low: float
    high: float

    def check(self, name: str, value: Any) -> None:
        require_range(name, value, self.low, self.high)

    def __str__(self) -> str:
        return f"[{self.low:g}, {self.high:g}]"


class Choice:
    """One of several texts."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    def check(self, name: str, value: Any) -> None:
        require_choice(name, value, self.choices)

    def __str__(self) -> str:
        return ", ".join(self.choices)


@dataclass(frozen=True)
class Form:
    """A text of some form. ``read`` raises ValueError for any other; without it the class checks the text itself."""

    description: str
    read: Callable[[str], object] | None = None

    def check(self, name: str, value: Any) -> None:
        try:
            if self.read is not None:
                self.read(value)
        except ValueError as error:
            raise ValueError(f"parameter {name} must be one of: {self}, not {value!r}") from error

    def __str__(self) -> str:
        return self.description


@dataclass(frozen=True)
class Weight:
    """A number >= 0; all weights of one group sum to 1, which is checked for the whole group."""

    group: str = ""

    def check(self, name: str, value: Any) -> None:
        """Nothing: one weight alone is neither right nor wrong."""


# ---- declarations ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Declaration:
    """What is known of a parameter besides its type and its default."""

    meaning: str = ""
    limits: Limits | None = None


def parameter(default: T, meaning: str, limits: Limits | None = None) -> T:
    """Declare a field of a dataclass of parameters.

    A subclass that assigns another default keeps meaning and limits: ``eta: float = -1.0``.

    Args:
        default: its type is the type that values must have; a whole number is also accepted for a float.
        meaning: one sentence, shown to users.
        limits: the values that are allowed; any of the type without it.
    """
    return field(default=default, metadata={_DECLARED: Declaration(meaning, limits)})


@dataclass(frozen=True)
class CheckedParameters:
    """Base of dataclasses of parameters. Raises ValueError for a value outside the limits of its declaration."""

    def __post_init__(self) -> None:
        weights: dict[str, dict[str, float]] = {}
        for name in (f.name for f in fields(self)):
            value, limits = getattr(self, name), declaration(type(self), name).limits
            if isinstance(limits, Weight):
                weights.setdefault(limits.group, {})[name] = value
            elif limits is not None:
                limits.check(name, value)
        for group in weights.values():
            check_sum(**group)


def declaration(cls: type, name: str) -> Declaration:
    """Return the declaration of a parameter, from the nearest class that has one; an empty one for a plain field."""
    for base in cls.__mro__:
        base_field = getattr(base, "__dataclass_fields__", {}).get(name)
        if base_field is not None and _DECLARED in base_field.metadata:
            declared: Declaration = base_field.metadata[_DECLARED]
            return declared
    return Declaration()


def about(cls: type) -> dict[str, dict[str, str]]:
    """Return what users read of the parameters of a dataclass: name -> its meaning, and the values allowed."""
    declared = {f.name: (f.default, declaration(cls, f.name)) for f in fields(cls)}
    weights = [d.limits for _, d in declared.values() if isinstance(d.limits, Weight)]

    def allowed(default: object, limits: Limits | None) -> str:
        if isinstance(limits, Weight):
            return f"{weights.count(limits)} numbers >= 0 of sum 1"
        return "true, false" if isinstance(default, bool) else str(limits or "")

    return {
        name: {"meaning": d.meaning, "allowed": allowed(default, d.limits)} for name, (default, d) in declared.items()
    }
