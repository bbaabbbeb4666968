"""Imports without what they would pull in: the driver imports pandas where it is installed, for Result.to_df alone.

That is a quarter of a second of every command. Whoever imports pandas later gets it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hidden(module: str) -> Iterator[None]:
    """Within the block the module cannot be imported, unless it was before."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # how the import system says that there is none
    try:
        yield
    finally:
        del sys.modules[module]
