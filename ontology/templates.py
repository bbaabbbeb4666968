"""HTML by Jinja2 templates: text is escaped in all of them, and a name without a value is an error.

The templates of a package are in its folder ``templates``. They lay out; numbers are formatted by functions that they
call as filters. Text of others stands alone between its braces: joined with markup before, it would be escaped, but
keep characters that HTML forbids.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ontology.printable import well_formed

if TYPE_CHECKING:
    from jinja2 import Environment


def _legible(value: Any) -> Any:
    """Return text without the characters that HTML forbids; values of other types, markup too, are unchanged."""
    return well_formed(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _is_web_address(text: str) -> bool:
    """Return whether a text is an absolute http or https URL with a host; nothing else is linked.

    >>> _is_web_address("https://example.org/a"), _is_web_address("javascript:alert(1)")
    (True, False)
    """
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and well_formed(text) == text


@cache
def templates(package: str, shown: Callable[[Any], Any] = _legible) -> Environment:
    """Return the templates of a package, to which the caller may add filters; all have the test ``web_address``.

    Args:
        package: name of the package with the folder ``templates``.
        shown: what a value is replaced by before it is escaped.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined  # here: pictures alone need no templates

    environment = Environment(
        loader=PackageLoader(package), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, finalize=shown,
    )  # fmt: skip
    environment.tests["web_address"] = _is_web_address
    return environment
