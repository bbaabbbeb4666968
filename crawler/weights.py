"""Weights that a crawl takes while it goes on, when its topic's ontologies have a new version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from crawler.text import Vocabulary, Word
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
            "vocabularies": vocabularies_as_json(self.vocabularies),
            "similarities": dict(self.similarities),
        }


def of_json(data: Mapping[str, Any]) -> Weights:
    """Restore what ``as_json`` returned. Raises KeyError, TypeError or ValueError for other values."""
    return Weights(from_json(data["vocabularies"]), data["similarities"], data["ontologies"])


def digest_of(vocabularies: Mapping[str, Vocabulary]) -> str:
    """Return a digest of the words of vocabularies, their forms and weights."""
    text = json.dumps(vocabularies_as_json(vocabularies), ensure_ascii=False, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


class Offers(Protocol):
    """Source of new weights, which a crawl asks between two fetches; so it must be cheap."""

    def newest(self) -> Weights | None:
        """Return weights that were offered since the last call; None where there are none.

        Raises:
            WeightsError: what was offered cannot be read.
        """


# ---- vocabularies as JSON: in the configuration of a run, and in the events of its journal that replace them


@dataclass(frozen=True, slots=True)
class OntologyWord(Word):
    """A word of a topic vector derived from joined ontologies."""

    ontologies: tuple[str, ...] = ()
    """Keys of the ontologies that have the class; empty if no ontologies were joined."""


def from_json(values: Mapping[str, Any]) -> dict[str, Vocabulary]:
    """Restore vocabularies from the JSON of ``vocabularies_as_json``; vocabularies are returned unchanged."""
    return {name: v if isinstance(v, Vocabulary) else Vocabulary(name, _words(v)) for name, v in values.items()}


def vocabularies_as_json(vocabularies: Mapping[str, Vocabulary]) -> dict[str, list[dict[str, Any]]]:
    """Return vocabularies as values of JSON: name -> its words with label, weight, IRI and forms."""
    return {name: [_plain(word) for word in v.words] for name, v in vocabularies.items()}


def _words(plain: Sequence[Mapping[str, Any]]) -> tuple[Word, ...]:
    return tuple(
        OntologyWord(
            word["label"],
            word["weight"],
            tuple((language, form) for language, form in word["forms"]),
            word["iri"],
            tuple(word.get("ontologies", ())),
        )
        for word in plain
    )


def _plain(word: Word) -> dict[str, Any]:
    plain = {
        "label": word.label,
        "weight": word.weight,
        "iri": word.iri,
        "forms": [list(form) for form in word.forms],
    }
    joined = word.ontologies if isinstance(word, OntologyWord) else ()
    return plain | ({"ontologies": list(joined)} if joined else {})
