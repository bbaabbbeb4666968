"""Checks of the types of arguments, so that a wrong one is named before any work is done for it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ontocrawl.base import workspace as workspaces
from ontocrawl.base.options import Section, declared
from ontocrawl.base.signatures import as_arguments
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError, WrongTypeError


def require(name: str, value: object, kinds: type | tuple[type, ...], expected: str) -> None:
    """Check the type of an argument.

    Args:
        name: name of the argument.
        value: its value.
        kinds: the types that the function takes; bool is no int here.
        expected: the same in words, for the message.

    Raises:
        WrongTypeError: the value is of another type.

    >>> require("limit", "10", int, "a number")
    Traceback (most recent call last):
    ontocrawl.errors.WrongTypeError: limit: expected a number, found '10' (str)
    """
    listed = kinds if isinstance(kinds, tuple) else (kinds,)
    if not isinstance(value, listed) or (isinstance(value, bool) and bool not in listed):
        raise WrongTypeError("api.expected_found", name=name, expected=expected, value=value, type=type(value).__name__)


def require_text(**given: object) -> None:
    """Check that arguments are text; None stands for the default. Raises WrongTypeError."""
    for name, value in given.items():
        require(name, value, (str, type(None)), "text")


def require_path(**given: object) -> None:
    """Check that arguments are names or paths; None stands for the default. Raises WrongTypeError."""
    for name, value in given.items():
        require(name, value, (str, Path, type(None)), "a path")


def require_flag(**given: object) -> None:
    """Check that arguments are True or False. Raises WrongTypeError."""
    for name, value in given.items():
        require(name, value, bool, "True or False")


def require_number(least: int, **given: object) -> None:
    """Check that arguments are integers, and not too small; None stands for the default.

    Args:
        least: the smallest allowed value.
        **given: the arguments.

    Raises:
        WrongTypeError: a value is of another type.
        UsageError: a value is smaller.
    """
    for name, value in given.items():
        require(name, value, (int, type(None)), "a whole number")
        if isinstance(value, int) and value < least:
            raise UsageError("api.expected_more_found", name=name, least=least, value=value)


def require_texts(name: str, values: object, expected: str) -> list[Any]:
    """Check that an argument is one text or path, or a sequence of them, and return a list.

    Args:
        name: name of the argument.
        values: its value.
        expected: what the function takes, for the message.

    Raises:
        WrongTypeError: the value, or an item of it, is of another type.
    """
    if isinstance(values, str | Path):
        return [values]
    require(name, values, (list, tuple), expected)
    items = list(cast(Sequence[Any], values))
    for item in items:
        require(name, item, (str, Path), expected)
    return items


def require_mapping(**given: object) -> None:
    """Check that arguments are mappings with text as keys; None stands for the default. Raises WrongTypeError."""
    for name, value in given.items():
        require(name, value, (Mapping, type(None)), "a dict")
        for key in value if isinstance(value, Mapping) else ():
            require(name, key, str, "text as keys")


def require_callbacks(**given: Callable[..., Any]) -> None:
    """Check that arguments can be called. Raises WrongTypeError."""
    for name, value in given.items():
        if not callable(value):
            raise WrongTypeError("api.expected_function_found", name=name, value=value, type=type(value).__name__)


def seconds(**given: object) -> float | None:
    """Check a time limit, and return it; None stands for no limit.

    Args:
        **given: the argument.

    Raises:
        WrongTypeError: it is no number.
        UsageError: it is not greater than 0.

    >>> seconds(timeout=5)
    5.0
    """
    ((name, value),) = given.items()
    require(name, value, (int, float, type(None)), "a number of seconds")
    if value is None:
        return None
    limit = float(cast(float, value))
    if not 0 < limit < float("inf"):
        raise UsageError("api.expected_number_seconds_greater", name=name, value=value)
    return limit


# ---- the workspace argument and the callbacks of the Python interface


Folder = str | Path
OnStage = Callable[[str], None]
"""Callback called with a description of each stage of a long task when it begins."""


def ignore(line: object) -> None:
    """Ignore a progress message."""


def workspace_of(folder: Folder | None) -> Workspace:
    """Return the workspace of a folder; for None the nearest one at or above, else ./ontocrawl-data."""
    require_path(workspace=folder)
    return workspaces.find(None if folder is None else Path(folder).absolute())[0]


def documented(function: Any, section: type[Section]) -> None:
    """Add the options of a section to the signature and the docstring of a function that takes them by keyword."""
    own = inspect.signature(function).parameters
    options = [one for name, one in declared(section).items() if name not in own]
    as_arguments(function, [(one.name, section.model_fields[one.name].annotation, None) for one in options])
    lines = "".join(f"\n        {one.name}: {one.en}." for one in options)
    function.__doc__ = (function.__doc__ or "").replace("\n\n    Returns:", f"{lines}\n\n    Returns:", 1)
