"""Blocking of imports: the driver imports pandas if it is installed, only for Result.to_df.

That import takes a quarter of a second in every command. A later import of pandas works as usual.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hidden(module: str) -> Iterator[None]:
    """Make a module impossible to import within the block, unless it is imported already."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # how the import system says that there is none
    try:
        yield
    finally:
        del sys.modules[module]
