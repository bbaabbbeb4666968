"""NAME=VALUE arguments, the same in every command."""

from __future__ import annotations

from collections.abc import Iterable

from ontocrawl.errors import UsageError


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
