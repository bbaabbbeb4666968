"""What steers the crawls of a lab besides the topic's own words: the tables [ontologies], and the axis `ontology`.

A value of the axis is a name, which settings may follow: ``learned?join=0.5&weights=key``.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import parse_qsl

from pydantic import model_validator

from ontocrawl.base.config import CrawlSettings, Section, checked
from ontocrawl.errors import UsageError, nearest

CURATED, NONE = "curated", "none"
"""Ontologies that every lab knows: those of the topic, and none."""
OF_AN_ONTOLOGY = ("join", "weights")
"""Crawl settings that may follow the name of an ontology."""


class LabOntology(Section):
    """A table [ontologies.NAME]: what steers in place of the ontologies of a world's topic."""

    topic: str | None = None
    """Topic whose ontologies are taken."""
    abstracts: str | None = None
    """Literature export from which they are learned, as by ``ontology build``."""
    file: str | None = None
    """Ontology in any format that ``ontology convert`` reads, taken as the global one."""

    @model_validator(mode="after")
    def _one_source(self) -> LabOntology:
        if sum(source is not None for source in (self.topic, self.abstracts, self.file)) != 1:
            raise ValueError("an ontology needs one of `topic`, `abstracts` and `file`")
        return self


def name_and_settings(written: str) -> tuple[str, dict[str, str]]:
    """Return the name of an ontology and the crawl settings behind it.

    >>> name_and_settings("learned?join=0.5&weights=key")
    ('learned', {'join': '0.5', 'weights': 'key'})
    """
    name, _, query = written.partition("?")
    return name, dict(parse_qsl(query, keep_blank_values=True))


def check(written: str, known: Collection[str], axes: Collection[str], where: str) -> None:
    """Check a value of the axis `ontology`.

    Args:
        written: the value.
        known: names of ontologies.
        axes: names of the axes beside it.
        where: name of the lab, for messages.

    Raises:
        UsageError: an unknown name or setting, an invalid value, a setting that is an axis too, or a setting of none.
    """
    name, settings = name_and_settings(written)
    if name not in known:
        raise UsageError(f"{where}: there is no ontology {name!r}: describe it in [ontologies.{name}]")
    for key in settings:
        if key not in OF_AN_ONTOLOGY:
            told = f"{nearest(key, OF_AN_ONTOLOGY)}; settings of an ontology are {' and '.join(OF_AN_ONTOLOGY)}"
            raise UsageError(f"{where}: there is no setting {key!r} of an ontology{told}")
        if key in axes:
            raise UsageError(f"{where}: {key!r} is an axis and a setting of the ontology {written}: remove one of them")
    if name == NONE and settings:
        raise UsageError(f"{where}: {written!r} sets {' and '.join(settings)} of no ontology: write {NONE!r}")
    checked(CrawlSettings, settings, f"{where}: settings of the ontology {written}")
