"""Parameters of strategies, each declared once with its default, meaning and limits.

    @dataclass(frozen=True)
    class TabuParameters(CheckedParameters):
        length: int = parameter(20, "Moves for which a link stays in the tabu list.", Range(0, 10**6))

An instance checks every value against its declaration when it is created; the output of ``ontocrawl crawl strategies``
and docs/strategies.md are generated from the same declarations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any, Protocol, TypeVar

from ontology.errors import Message

T = TypeVar("T")
_DECLARED = "crawler.parameters"
"""Key of the declaration in the metadata of a dataclass field."""


def require_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Check that the value of a parameter is one of its choices.

    Args:
        name: name of the parameter, for the message.
        value: its value.
        choices: the allowed values.

    Raises:
        ValueError: the value is another one.

    >>> require_choice("parents", "max", ("mean", "sum"))
    Traceback (most recent call last):
    ValueError: parameter parents must be one of mean, sum, not 'max'
    """
    if value not in choices:
        raise ValueError(Message("crawler.parameter_one_of", name=name, choices=", ".join(choices), value=value))


def require_range(name: str, value: float, low: float, high: float) -> None:
    """Check that the value of a parameter is in [low, high].

    Args:
        name: name of the parameter, for the message.
        value: its value.
        low: smallest allowed value.
        high: largest allowed value.

    Raises:
        ValueError: the value is outside.

    >>> require_range("patience", 1.5, 0.0, 1.0)
    Traceback (most recent call last):
    ValueError: parameter patience must lie in [0, 1], not 1.5
    """
    if not low <= value <= high:
        raise ValueError(Message("crawler.parameter_range", name=name, low=low, high=high, value=value))


def check_sum(**weights: float) -> None:
    """Check that weights are numbers >= 0 of sum 1.

    Raises:
        ValueError: they are not; the message names the parameters.

    >>> check_sum(alpha=0.5, beta=0.6)
    Traceback (most recent call last):
    ValueError: parameters alpha, beta must be 2 numbers >= 0 of sum 1, not (0.5, 0.6)
    """
    values = tuple(weights.values())
    if min(values) < 0.0 or not math.isclose(sum(values), 1.0, abs_tol=1e-9):
        raise ValueError(
            Message("crawler.parameter_sum", weights=", ".join(weights), n_values=len(values), values=values)
        )


# ---- limits ---------------------------------------------------------------------------------------------------------


class Limits(Protocol):
    """The allowed values of a parameter; ``str`` describes them to users."""

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError, with the name of the parameter, unless the value is allowed."""


@dataclass(frozen=True)
class Range:
    """A number in [low, high]."""

    low: float
    high: float

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError unless the value is in the range."""
        require_range(name, value, self.low, self.high)

    def __str__(self) -> str:
        return f"[{self.low:g}, {self.high:g}]"


class Choice:
    """One of several texts."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError unless the value is one of the texts."""
        require_choice(name, value, self.choices)

    def __str__(self) -> str:
        return ", ".join(self.choices)


@dataclass(frozen=True)
class Form:
    """A text of some form. ``read`` raises ValueError for others; without it the dataclass checks the text."""

    description: str
    read: Callable[[str], object] | None = None

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError unless ``read`` accepts the value."""
        try:
            if self.read is not None:
                self.read(value)
        except ValueError as error:
            raise ValueError(Message("crawler.parameter_form", name=name, form=self, value=value)) from error

    def __str__(self) -> str:
        return self.description


@dataclass(frozen=True)
class Weight:
    """A number >= 0; the weights of one group sum to 1, which CheckedParameters checks."""

    group: str = ""

    def check(self, name: str, value: Any) -> None:
        """Accept any value, as only the whole group can be checked."""


# ---- declarations ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Declaration:
    """Meaning and limits of a parameter."""

    meaning: str = ""
    limits: Limits | None = None


def parameter(default: T, meaning: str, limits: Limits | None = None) -> T:
    """Declare a field of a dataclass of parameters.

    A subclass may assign another default and inherits meaning and limits: ``eta: float = -1.0``.

    Args:
        default: its type is the required type of values; a whole number is also accepted for a float.
        meaning: one sentence, shown to users.
        limits: the allowed values; None for all values of the type.
    """
    return field(default=default, metadata={_DECLARED: Declaration(meaning, limits)})


@dataclass(frozen=True)
class CheckedParameters:
    """Base of the dataclasses of parameters.

    Raises:
        ValueError: a value is outside the limits of its declaration, or the weights of a group do not sum to 1.
    """

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
    """Return the declaration of a parameter.

    Args:
        cls: a dataclass of parameters.
        name: one of its fields.

    Returns:
        The declaration of the nearest base class that has one; an empty one for a plain field.
    """
    for base in cls.__mro__:
        base_field = getattr(base, "__dataclass_fields__", {}).get(name)
        if base_field is not None and _DECLARED in base_field.metadata:
            declared: Declaration = base_field.metadata[_DECLARED]
            return declared
    return Declaration()


def about(cls: type) -> dict[str, dict[str, str]]:
    """Return the texts for users on the parameters of a dataclass: name -> meaning and allowed values."""
    declared = {f.name: (f.default, declaration(cls, f.name)) for f in fields(cls)}
    weights = [d.limits for _, d in declared.values() if isinstance(d.limits, Weight)]

    def allowed(default: object, limits: Limits | None) -> str:
        if isinstance(limits, Weight):
            return f"{weights.count(limits)} numbers >= 0 of sum 1"
        return "true, false" if isinstance(default, bool) else str(limits or "")

    return {
        name: {"meaning": d.meaning, "allowed": allowed(default, d.limits)} for name, (default, d) in declared.items()
    }


# ---- overrides ------------------------------------------------------------------------------------------------------


def replace_defaults(cls: type, overrides: Mapping[str, Any], owner: str) -> Any:
    """Return an instance of a dataclass of parameters with some defaults replaced.

    Args:
        cls: the dataclass.
        overrides: name -> value.
        owner: name of the strategy, for the messages.

    Raises:
        ValueError: an unknown name, a value of the wrong type, or one that the dataclass rejects.
    """
    known = {f.name: f for f in fields(cls)}
    values = {name: _as_text(value) if _is_text(known.get(name)) else value for name, value in overrides.items()}
    for name, value in values.items():
        if name not in known:
            of = ", ".join(known) or Message("crawler.no_parameters")
            raise ValueError(Message("crawler.no_parameter", owner=owner, name=name, known=of))
        expected = _expected(known[name].default, value)
        if expected is not None:
            raise ValueError(Message("crawler.parameter_type", owner=owner, name=name, expected=expected, value=value))
    return cls(**values)


def _is_text(field: Field[Any] | None) -> bool:
    return field is not None and isinstance(field.default, str)


def _as_text(value: Any) -> Any:
    """Return a number passed for a text parameter, such as one weight or a class called 7, as text."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _expected(default: Any, value: Any) -> str | None:
    """Return the kind of value that is required to replace a default, None if the value is one."""
    if isinstance(default, bool):
        return None if isinstance(value, bool) else "true or false"
    if isinstance(default, int):
        return None if isinstance(value, int) and not isinstance(value, bool) else "a whole number"
    if isinstance(default, float):
        number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        return None if number else "a finite number"
    return None if isinstance(value, str) else "a text"
