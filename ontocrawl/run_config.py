"""The configuration of a run: all that determines it. Within a process it is this object, in a journal it is JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, PlainSerializer, PlainValidator

from crawler.text import Vocabulary, Word
from ontocrawl.config import CrawlSettings, Section


@dataclass(frozen=True, slots=True)
class OntologyWord(Word):
    """A word of a topic vector that was derived from joined ontologies."""

    ontologies: tuple[str, ...] = ()
    """Keys of the ontologies that have the class, where several were joined."""


def _vocabularies(given: Mapping[str, Any]) -> dict[str, Vocabulary]:
    """Vocabularies, or what `_as_json` made of them, as vocabularies."""
    return {name: v if isinstance(v, Vocabulary) else Vocabulary(name, _words(v)) for name, v in given.items()}


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


def _as_json(vocabularies: Mapping[str, Vocabulary]) -> dict[str, list[dict[str, Any]]]:
    return {name: [_plain(word) for word in v.words] for name, v in vocabularies.items()}


def _plain(word: Word) -> dict[str, Any]:
    plain = {
        "label": word.label,
        "weight": word.weight,
        "iri": word.iri,
        "forms": [list(form) for form in word.forms],
    }
    joined = word.ontologies if isinstance(word, OntologyWord) else ()
    return plain | ({"ontologies": list(joined)} if joined else {})


class RunConfig(Section):
    """All that determines a run, as it stands in its journal: a resumed crawl depends on nothing else."""

    run: str
    topic: str
    topic_file: str | None = None
    strategy: str
    strategy_file: str | None = None
    """FILE.py:CLASS or MODULE:CLASS of a strategy that is not registered."""
    strategy_digest: str | None = None
    """Of that file."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    world: str
    seeds: tuple[str, ...]
    labels: str | None = None
    resolve: dict[str, str] = Field(default_factory=dict)
    allow_loopback: bool = False
    politeness: bool = True
    relevance: str
    sigma: float
    strict: bool
    limit_pages: int
    limit_time: float
    crawl: CrawlSettings
    vocabularies: Annotated[Mapping[str, Vocabulary], PlainValidator(_vocabularies), PlainSerializer(_as_json)]
    """Vector -> its words with weight, IRI and forms, as they were when the run began."""
    ontologies: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Vector from an ontology -> its ``iri``, ``version`` and ``key`` in the graph; ``joined`` names its parts."""
    steered_by: str | None = None
    """Key of the global ontology, where the strategy reads the vector of an ontology."""
    similarities: dict[str, list[list[float]]] = Field(default_factory=dict)
    """Vector -> Sem of its words, where the strategy's guide compares terms by meaning."""
    known_runs: dict[str, str] = Field(default_factory=dict)
    """Run -> its journal, of those whose pages look-ahead ``cached`` knows."""
    classifier_digest: str | None = None
    """Of the file that the strategy's parameter ``classifier`` names."""
    graph: bool = True
    """Whether the run is written into the graph at its end."""
    started: str
