"""HTML by Jinja2 templates: text is escaped in all of them, and a name without a value is an error.

The templates of a package are in its folder ``templates``. They lay out; numbers and addresses are formatted by
functions that they call as filters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ontology.printable import well_formed

if TYPE_CHECKING:
    from jinja2 import Environment


def legible(value: Any) -> Any:
    """Return text without the characters that HTML forbids; values of other types, markup too, are unchanged."""
    return well_formed(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


@cache
def templates(package: str, shown: Callable[[Any], Any] = legible) -> Environment:
    """Return the templates of a package, whose filters and tests the caller may extend.

    Args:
        package: name of the package with the folder ``templates``.
        shown: what a value is replaced by before it is escaped.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined  # here: pictures alone need no templates

    return Environment(
        loader=PackageLoader(package), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, finalize=shown,
    )  # fmt: skip
