"""The configuration of a run: everything that determines it. It is stored as JSON in the journal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import tomli_w
from pydantic import (
    Field,
    PlainSerializer,
    PlainValidator,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from crawler.frontier.prior import Prior
from crawler.text import Vocabulary
from crawler.weights import Weights, from_json, vocabularies_as_json
from ontocrawl.base.options import LIMITS, CrawlSettings, RunOptions

_BESIDE = (*LIMITS, "strict_filter")
"""Settings that a stored configuration also has beside ``crawl``; these are the ones that a resumed run changes."""


class RunConfig(RunOptions):
    """The configuration of a run, as stored in its journal. A resumed crawl depends on nothing else."""

    run: str
    topic: str
    topic_file: str | None = None
    classes: tuple[dict[str, Any], ...] = ()
    """The classes that are crawled for in place of the topic: ``name``, and from the graph what else
    `class_topics.ClassTopic.as_json` says. Several take turns."""
    strategy: str
    strategy_file: str | None = None
    """FILE.py:CLASS or MODULE:CLASS of a strategy that is not registered."""
    strategy_digest: str | None = None
    """Digest of that file."""
    seeds: tuple[str, ...]
    cookies: bool = False
    """Whether cookies are kept and sent; earlier versions did neither."""
    relevance: str
    sigma: float
    strict: bool
    crawl: CrawlSettings
    counts_failures: bool = False
    """Whether evidence_sum counts links that led to no page, as from version 1.1 on."""
    scope_version: int = 1
    """Version of the standard rules of the scope (`crawl_scope.VERSION`)."""
    vocabularies: Annotated[Mapping[str, Vocabulary], PlainValidator(from_json), PlainSerializer(vocabularies_as_json)]
    """Topic vector -> its words with weight, IRI and forms, as of the beginning of the run."""
    ontologies: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Topic vector -> ``iri``, ``version`` and ``key`` of its ontology; ``joined`` lists the parts of a joined one."""
    steered_by: str | None = None
    """Key of the global ontology, if the strategy uses the vector of an ontology."""
    similarities: dict[str, list[list[float]]] = Field(default_factory=dict)
    """Topic vector -> Sem of each pair of its words, if the relevance function is a semantic cosine."""
    known_runs: dict[str, str] = Field(default_factory=dict)
    """Name -> journal of each run whose pages look-ahead ``cached`` uses."""
    classifier: str | None = None
    """The classifier of the strategy and how it was measured, in words; None for strategies that use none."""
    prior: Prior = Prior()
    """Figures of earlier crawls, as they stood in the graph when the run began; empty for a run without --prior."""
    classifier_digest: str | None = None
    """Digest of the file of the strategy's parameter ``classifier``."""
    started: str

    @model_validator(mode="before")
    @classmethod
    def _of_stored(cls, data: Any) -> Any:
        """Read limits and filter where journals have them, beside ``crawl``; before 1.1 the filter was strict.

        Before 1.2 no page was rendered.
        """
        if not isinstance(data, Mapping) or not isinstance(crawl := data.get("crawl"), Mapping):
            return data
        beside = {"strict_filter": True} | {name: data[name] for name in _BESIDE if name in data}
        others = {name: value for name, value in data.items() if name not in _BESIDE}
        return {**others, "crawl": {"browser": False, **crawl, **beside}}

    @model_serializer(mode="wrap")
    def _as_stored(self, fields: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write them there too, for programs that read the files of a run."""
        return {**fields(self), **{name: getattr(self.crawl, name) for name in _BESIDE}}

    def under(self, weights: Weights) -> RunConfig:
        """Return the configuration with other weights, which the run took after it had begun."""
        steered_by = weights.ontologies.get("GTK", {}).get("key", self.steered_by)
        return self.model_copy(
            update={
                "vocabularies": weights.vocabularies,
                "similarities": dict(weights.similarities),
                "ontologies": dict(weights.ontologies) or self.ontologies,
                "steered_by": None if self.steered_by is None else steered_by,
            }
        )


def as_toml(document: Mapping[str, Any]) -> str:
    """Return a configuration of JSON values as TOML, which has no null: keys without a value are left out."""
    return tomli_w.dumps(_without_nulls(document))


def _without_nulls(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _without_nulls(v) for k, v in value.items() if v is not None}
    return [_without_nulls(v) for v in value] if isinstance(value, list) else value
