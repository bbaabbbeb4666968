"""Arguments that have the same form in every command: NAME=VALUE, and one of a few words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from ontocrawl.errors import UsageError

Choice = TypeVar("Choice", bound=str)


def parameters(given: Iterable[str]) -> dict[str, str]:
    """Values by name, from NAME=VALUE arguments. Raises UsageError for another form and for a name given twice."""
    found: dict[str, str] = {}
    for item in given:
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise UsageError(f"{item!r}: expected a parameter as NAME=VALUE")
        if name in found:
            raise UsageError(f"the parameter {name!r} is given twice: {found[name]!r} and {value!r}")
        found[name] = value
    return found


def choice(option: str, given: str, choices: tuple[Choice, ...]) -> Choice:
    """One of the choices. Raises UsageError naming them."""
    for known in choices:
        if given == known:
            return known
    raise UsageError(f"{option} {given!r} is none of {', '.join(choices)}")
