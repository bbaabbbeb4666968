"""The configuration of a run: everything that determines it. It is stored as JSON in the journal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import tomli_w
from pydantic import Field, PlainSerializer, PlainValidator

from crawler.frontier.prior import Prior
from crawler.text import Vocabulary
from crawler.weights import Weights, from_json, vocabularies_as_json
from ontocrawl.base.options import CrawlSettings, Section


class RoundsSettings(Section):
    """How a crawl in rounds chooses and fetches."""

    size: int = Field(default=500, ge=1)
    """Maximum number of links of a round."""
    per_host: int = Field(default=50, ge=0)
    """Maximum number of links of a host in a round; 0 for no limit."""
    jobs: int | None = Field(default=None, ge=1, le=512)
    """Number of tasks at once; None for one in the process of the crawl, or for as many as Spark has cores."""
    spark: str | None = None
    """Master of Spark, which runs the tasks in place of processes of this machine."""


class RunConfig(Section):
    """The configuration of a run, as stored in its journal. A resumed crawl depends on nothing else."""

    run: str
    topic: str
    topic_file: str | None = None
    classes: tuple[dict[str, Any], ...] = ()
    """The classes that are crawled for in place of the topic: ``name``, and from the graph what else
    `class_topics.ClassTopic.as_json` says. Several take turns."""
    cover: str = ""
    """Further classes: those so many levels below the root, or ``local``; known from the graph."""
    words: dict[str, float] = Field(default_factory=dict)
    """Words that a person gave with the classes, with their weights."""
    strategy: str
    strategy_file: str | None = None
    """FILE.py:CLASS or MODULE:CLASS of a strategy that is not registered."""
    strategy_digest: str | None = None
    """Digest of that file."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    world: str
    seeds: tuple[str, ...]
    like: tuple[str, ...] = ()
    """Pages of the kind that is looked for, by a person, when the run began."""
    unlike: tuple[str, ...] = ()
    """Pages of another kind, the same way."""
    labels: str | None = None
    resolve: dict[str, str] = Field(default_factory=dict)
    allow_loopback: bool = False
    politeness: bool = True
    cookies: bool = False
    """Whether cookies are kept and sent; earlier versions did neither."""
    cookie_file: str | None = None
    """File with the cookies of a person's own session; it is read again when the run is resumed."""
    warc: str | None = None
    """Folder of the WARC files in which the crawl is recorded."""
    relevance: str
    sigma: float
    strict: bool
    limit_pages: int = Field(ge=0)
    limit_time: float = Field(ge=0, allow_inf_nan=False)
    limit_relevant: int = Field(default=0, ge=0)
    limit_generations: int = Field(default=0, ge=0)
    limit_gain: int = Field(default=0, ge=0)
    crawl: CrawlSettings
    strict_filter: bool = True
    """Whether links that the strategy rejects are left out when nothing else is left, as by earlier versions."""
    counts_failures: bool = False
    """Whether evidence_sum counts links that led to no page, as from version 1.1 on."""
    rounds: RoundsSettings | None = None
    """How the run is crawled in rounds; None for a run that chooses a link whenever a place is free."""
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
    graph: bool = True
    """Whether to write the run into the graph at its end."""
    started: str

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
