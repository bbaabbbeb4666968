"""Vocabularies as JSON: in the configuration of a run, and in the events of its journal that replace them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crawler.text import Vocabulary, Word


@dataclass(frozen=True, slots=True)
class OntologyWord(Word):
    """A word of a topic vector derived from joined ontologies."""

    ontologies: tuple[str, ...] = ()
    """Keys of the ontologies that have the class; empty if no ontologies were joined."""


def from_json(values: Mapping[str, Any]) -> dict[str, Vocabulary]:
    """Restore vocabularies from the JSON of ``as_json``; vocabularies are returned unchanged."""
    return {name: v if isinstance(v, Vocabulary) else Vocabulary(name, _words(v)) for name, v in values.items()}


def as_json(vocabularies: Mapping[str, Vocabulary]) -> dict[str, list[dict[str, Any]]]:
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
