"""How the templates of reports write numbers, and know Chinese text."""

from __future__ import annotations

import re
from typing import Any

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def is_chinese(value: Any) -> bool:
    """Return whether the text of a value has Chinese characters."""
    return bool(_HAN.search(str(value)))


def number(value: float | None, digits: int = 3) -> str:
    """Format a number with thousands separators, and floats with fixed digits; None is an en dash.

    >>> number(12345), number(0.5)
    ('12,345', '0.500')
    """
    if value is None:
        return "\N{EN DASH}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def percent(value: float | None) -> str:
    """Format a share in [0, 1] as percent; None is an en dash."""
    return "\N{EN DASH}" if value is None else f"{100 * value:.1f}%"


def share(value: float) -> str:
    """Format a number as a share for style sheets; below 0 it is 0, above 1 it is 1."""
    return f"{max(0.0, min(1.0, value)):.3f}"
