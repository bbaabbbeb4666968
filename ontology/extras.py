"""Optional libraries: imported when they are needed; an error names the extra that installs a missing one."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from ontology.errors import OntocrawlError


class MissingExtra(OntocrawlError, RuntimeError):  # noqa: N818 - says what is missing
    """A library of an extra is not installed; the message has the command that installs it."""


def require(module: str, extra: str, purpose: str) -> ModuleType:
    """Import a library of an extra.

    Args:
        module: name of the module.
        extra: name of the extra that installs it.
        purpose: what needs it, for the message.

    Returns:
        The module.

    Raises:
        MissingExtra: the library is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra("ontology.needs_install_pip_install", purpose=purpose, module=module, extra=extra) from error


def zstd(purpose: str) -> ModuleType:
    """Import the module of Zstandard, a part of Python from 3.14 on; ``purpose`` and errors as for `require`."""
    return require("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd", "archive", purpose)
