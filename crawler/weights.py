"""Weights that a crawl takes while it goes on, when its topic's ontologies have a new version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from crawler.stored_vocabularies import as_json, from_json
from crawler.text import Vocabulary
from ontology.errors import OntocrawlError


class WeightsError(OntocrawlError, ValueError):
    """Weights that a crawl cannot take; the message says why."""


@dataclass(frozen=True)
class Weights:
    """The topic vectors of a crawl from a moment on, in place of those before."""

    vocabularies: Mapping[str, Vocabulary]
    similarities: Mapping[str, list[list[float]]] = field(default_factory=dict)
    """Topic vector -> Sem of each pair of its words, if the guide is a semantic cosine."""
    ontologies: Mapping[str, Any] = field(default_factory=dict)
    """Topic vector -> IRI, version and key of its ontology, as JSON values; for reports only."""

    @cached_property
    def digest(self) -> str:
        """Digest of the words, their forms and weights."""
        return digest_of(self.vocabularies)

    def as_json(self) -> dict[str, Any]:
        """Return the weights as values of JSON."""
        return {
            "digest": self.digest,
            "ontologies": dict(self.ontologies),
            "vocabularies": as_json(self.vocabularies),
            "similarities": dict(self.similarities),
        }


def of_json(data: Mapping[str, Any]) -> Weights:
    """Restore what ``as_json`` returned. Raises KeyError, TypeError or ValueError for other values."""
    return Weights(from_json(data["vocabularies"]), data["similarities"], data["ontologies"])


def digest_of(vocabularies: Mapping[str, Vocabulary]) -> str:
    """Return a digest of the words of vocabularies, their forms and weights."""
    text = json.dumps(as_json(vocabularies), ensure_ascii=False, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


class Offers(Protocol):
    """Source of new weights, which a crawl asks between two fetches; so it must be cheap."""

    def newest(self) -> Weights | None:
        """Return weights that were offered since the last call; None where there are none.

        Raises:
            WeightsError: what was offered cannot be read.
        """
