"""Progress of a search for proposals, for a progress bar."""

from __future__ import annotations

from collections.abc import Callable

OnProgress = Callable[[str, int, int], None]
"""Function of a stage ("pages", "terms", "sentences", "places", "relations"), the number done, and of all."""


def ignored(stage: str, done: int, total: int) -> None:
    """Do nothing with the progress."""
