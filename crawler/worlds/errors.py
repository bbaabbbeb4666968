"""What can be wrong with the description of a world."""

from __future__ import annotations


class WorldError(ValueError):
    """A world that cannot be opened; the message says what was expected, what was found and what to do."""
