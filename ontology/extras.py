"""Optional libraries: imported when they are needed, and named with their extra where they are missing."""

from __future__ import annotations

import importlib
from types import ModuleType


class MissingExtra(RuntimeError):  # noqa: N818 - says what is missing
    """A library that comes with an extra is not installed; the message has the command that installs it."""


def require(module: str, extra: str, purpose: str) -> ModuleType:
    """Import a library of an extra. Raises MissingExtra, which says what needs it and how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(f"{purpose} needs {module}; install it by: pip install 'ontocrawl[{extra}]'") from error
