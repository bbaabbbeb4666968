"""The error of a world that cannot be opened."""

from __future__ import annotations

from ontology.errors import OntocrawlError


class WorldError(OntocrawlError, ValueError):
    """Error for a world that cannot be opened; the message says what was expected, what was found and what to do."""
