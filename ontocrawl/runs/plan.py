"""Plan a crawl: turn the user's options into the configuration of a run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Sized
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from crawler import strategies
from crawler.crawl_options import Judge, Limits, Setup, needed
from crawler.frontier.prior import PAGES, PARTS, Pair, Prior
from crawler.journal import Journal
from crawler.model import TokenRows
from crawler.pages.tokens import Tokenizer
from crawler.scope import Scope
from crawler.scoring.feature_key import FeatureKey
from crawler.scoring.features import CRAWLED, RANKS, expand
from crawler.scoring.relevance import Density, SemanticCosine, WordDensity, relevance
from crawler.strategies.base import Strategy
from crawler.text import Matcher, Vocabulary
from crawler.worlds import WorldError
from crawler.worlds.cookies import read_cookies
from kg.ranking.link_graph import anchors_of_pages
from kg.store import GraphStore, Row
from ontocrawl.archives.loaded import refuse_other
from ontocrawl.base import workspace
from ontocrawl.base.config import checked
from ontocrawl.base.options import CrawlOptions, CrawlSettings, RunOptions
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.errors import UsageError
from ontocrawl.graph import query_parameters
from ontocrawl.graph.graph_store import store
from ontocrawl.runs import crawl_rounds, crawl_setup, runs, training
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.topics import class_topics, topic_graph
from ontocrawl.topics.topic_graph import TopicGraph, TopicVectors
from ontocrawl.topics.topics import Topic, TopicFile
from ontology.errors import Message
from ontology.model import Ontology
from ontology.similarity import five_factors

SATURATED = "saturated"
DIGITS = 6
"""Decimal digits of the similarities that a configuration stores, so that resuming a run depends on no file."""

K = TypeVar("K")
V = TypeVar("V")
OnNote = Callable[[str], None]
"""Callback called with a message for the user."""


def configuration(space: Workspace, vectors: TopicVectors, options: CrawlOptions) -> RunConfig:
    """Make the configuration of a run without its seeds, with given topic vectors.

    Args:
        space: the workspace.
        vectors: the topic vectors.
        options: the user's options; the setting ``weights`` is taken from the vectors.

    Returns:
        The configuration.

    Raises:
        UsageError, UnknownStrategyError, RelevanceError, SetupError, FeatureError: as `without_vectors`.
    """
    return with_vectors(space, without_vectors(space, vectors.topic, options, lambda line: None), vectors)


def without_vectors(space: Workspace, topic: Topic, options: CrawlOptions, on_note: OnNote) -> RunConfig:
    """Check all options of a run that can be checked without the graph.

    Args:
        space: the workspace.
        topic: the topic.
        options: the user's options.
        on_note: called with each message for the user.

    Returns:
        The configuration of the run, without its seeds and topic vectors.

    Raises:
        UsageError, UnknownStrategyError, RelevanceError, SetupError, FeatureError: as `without_vectors`.
    """
    if options.run is not None:
        runs.refuse_existing(space, options.run)
    crawl, file = _settings(space, topic, options), topic.file
    name = _fitting(crawl.strategy, topic, on_note) if options.strategy is None else options.strategy
    cls = strategies.get(name)
    parameters = _with_intent(cls, file, options.parameters)
    validated = crawl_setup.parameters_of(cls, parameters)
    strategy = cls(validated)
    classes = tuple(dict.fromkeys(options.classes))
    guide = crawl.guide or _default_guide(strategy, topic, of_classes=bool(classes or options.cover))
    strategy = crawl_setup.guided(strategy, guide)
    _check_strategy(strategy, topic, crawl, options)
    crawl_setup.check_render(options, crawl)
    _check_classes(strategy, classes, crawl, options)
    judge = crawl_setup.judge_of(crawl.judge, file, crawl.threshold)
    if (classes or options.cover) and crawl.judge == crawl_setup.TOPIC:
        judge = replace(judge, relevance=WordDensity(), strict=True)
    trained, classifier = training.of_parameters(validated), training.without(validated)
    if trained is not None:
        written = Path(parameters[training.PARAMETER]).resolve()
        parameters[training.PARAMETER] = str(written)
        classifier = training.told(written, parameters[training.CLASS], options.world)
    _note_changes(topic, on_note)
    shared = {name: getattr(options, name) for name in RunOptions.model_fields}
    shared |= {
        "parameters": parameters,
        "cookie_file": _cookie_file(options),
        "warc": None if options.warc is None else runs.folder_for(options.warc),
    }
    return RunConfig(
        **shared,
        run=options.run or runs.fresh_name(space, strategy.name),
        topic=topic.name,
        topic_file=str(topic.path) if topic.path else None,
        classes=tuple({"name": name} for name in classes),
        strategy=strategy.name,
        strategy_file=_resumable(name),
        strategy_digest=crawl_setup.digest_of(cls) if ":" in name else None,
        seeds=(),
        relevance=judge.relevance.name,
        sigma=judge.threshold,
        strict=judge.strict,
        crawl=crawl.model_copy(update={"guide": guide}),
        counts_failures=True,
        scope_version=crawl_setup.VERSION,
        vocabularies={},
        ontologies=topic_graph.provenance(topic),
        steered_by=topic.levels[0].ontology.key if topic.levels and (_uses_ontology(strategy) or crawl.join) else None,
        classifier=classifier,
        classifier_digest=None if trained is None else training.digest(Path(parameters[training.PARAMETER])),
        started=workspace.now(),
    )


def _cookie_file(options: CrawlOptions) -> str | None:
    """Return the path of a file of cookies. Raises UsageError for one that cannot be read, or that is not used."""
    if options.cookie_file is None:
        return None
    if not options.cookies or options.world != "live":
        why = "--no-cookies sends none" if not options.cookies else f"the world {options.world} asks no server"
        raise UsageError("runs.leave_two_out", why=why)
    path = Path(options.cookie_file).expanduser().resolve()
    try:
        read_cookies(path)
    except WorldError as error:
        raise UsageError("runs.cookies_error", error=error) from error
    return str(path)


def _note_changes(topic: Topic, on_note: OnNote) -> None:
    for changed in topic.changed_versions():
        on_note(changed)


def _check_strategy(strategy: Strategy, topic: Topic, crawl: CrawlSettings, options: CrawlOptions) -> None:
    """Raise an error for a strategy that cannot crawl on the topic, to a limit, or in rounds."""
    _require_vectors(strategy, topic)
    Limits(generations=crawl.limit_generations).generations_of(strategy)
    if options.prior and not prior_parts(strategy):
        raise UsageError("runs.prior_unread", strategy=strategy.name)
    if options.rounds is not None:
        crawl_rounds.check(type(strategy), options.rounds, crawl.target, options.warc)


def _check_classes(strategy: Strategy, classes: Sequence[str], crawl: CrawlSettings, options: CrawlOptions) -> None:
    """Raise UsageError for classes that are not names, a crawl that cannot take turns, or words without a class."""
    if not (classes or options.cover):
        if options.words:
            raise UsageError("runs.class_words")
        return
    if not all(name.strip() for name in classes):
        raise UsageError("runs.class_empty")
    if crawl.join:
        raise UsageError("runs.class_join")
    if options.cover and options.cover != class_topics.LOCAL and not options.cover.isdecimal():
        raise UsageError("runs.class_level", cover=options.cover)
    if bad := [word for word, weight in options.words.items() if not (word.strip() and 0 < weight <= 1)]:
        raise UsageError("runs.class_weights", bad=bad[0])
    if options.rounds is not None and (len(classes) > 1 or options.cover):
        raise UsageError("runs.class_rounds")
    of_links = strategy.features or strategy.vocabularies != ("TK",) or "block_scores" in strategy.page_parts
    if (len(classes) > 1 or options.cover) and of_links:
        raise UsageError("runs.class_turns", strategy=strategy.name)


def _require_vectors(strategy: Strategy, topic: Topic) -> None:
    """Raise SetupError or FeatureError for a strategy that cannot crawl with the vectors that the topic will have."""
    words = topic.vocabulary.words  # in place of those of the ontologies, which are not known yet
    vocabularies = {name: Vocabulary(name, words) for name in ("TK", *topic.levels_by_vector)}
    judge = Judge(relevance(topic.file.relevance), topic.file.sigma, topic.file.strict)
    setup = Setup(strategy, vocabularies, relevance(strategy.guide), judge, Scope(), seeds=())
    expand(strategy.features, tuple(needed(setup)))


def topic_vectors(space: Workspace, topic: Topic, config: RunConfig, on_note: OnNote) -> TopicVectors:
    """Derive the topic vectors of a run.

    Without the graph there is TK alone, if the run is not to be written into the graph and its strategy uses no other
    vector. The pages of such a run are not linked to concepts.

    Args:
        space: the workspace. The topic's ontologies are loaded into its graph where missing.
        topic: the topic.
        config: the configuration of the run, as returned by `without_vectors`.
        on_note: called with each message for the user.

    Raises:
        UsageError: the topic lacks what its weights need.
        StoreError: the graph cannot be opened.
        CommandError: the graph has another run by this name.
    """
    of_classes = config.classes or config.cover
    needs_graph = config.graph or config.steered_by or config.crawl.join or of_classes
    if not (topic.levels or topic.words or of_classes) or not needs_graph:
        return topic_graph.words_only(topic, config.crawl.weights)
    if not config.graph:
        by_weights = Message("runs.uses_weights", strategy=config.strategy)
        what = Message("runs.classes_have_words") if of_classes else by_weights
        on_note(Message("runs.engine_for_weights", what=what))
    with store(space) as graph:
        if config.graph:
            refuse_other(graph, config.run, config.started)
        in_graph = TopicGraph(topic, graph, on_note)
        vectors = in_graph.vectors(config.crawl.weights)
        if not of_classes:
            return vectors
        names = [one["name"] for one in config.classes]
        classes = class_topics.of_classes(in_graph, vectors.terms, names, config.cover, config.words)
        for one in classes:
            on_note(one.line())
        return class_topics.steered(vectors, classes)


def with_vectors(space: Workspace, config: RunConfig, vectors: TopicVectors) -> RunConfig:
    """Complete a configuration.

    Args:
        space: the workspace of the run.
        config: the configuration, as returned by `without_vectors`.
        vectors: the topic vectors.

    Returns:
        The configuration with the vectors, and with what depends on them.

    Raises:
        UsageError: words of an ontology are to join those of the topic, which has none.
    """
    if config.crawl.join:
        vectors = vectors.joined(config.crawl.join)
    cached = config.crawl.target == "cached"
    own_threshold = config.crawl.threshold is None and config.crawl.judge == crawl_setup.TOPIC
    if vectors.threshold is not None and own_threshold:
        config = config.model_copy(update={"sigma": round(vectors.threshold, 6)})
    if vectors.classes:
        config = config.model_copy(update={"classes": tuple(map(dict, vectors.classes))})
    return config.model_copy(
        update={
            "crawl": config.crawl.model_copy(update={"weights": vectors.scheme}),
            "vocabularies": vectors.vocabularies,
            "similarities": similarities(crawl_setup.strategy_of(config), vectors),
            "known_runs": _earlier_runs(space, config.world, vectors.vocabularies) if cached else {},
        }
    )


def _settings(space: Workspace, topic: Topic, options: CrawlOptions) -> CrawlSettings:
    """Return the workspace's [crawl] table, overridden by the topic's [scope], overridden by the options."""
    of_topic = topic.file.scope.model_dump(exclude_unset=True)
    overrides = {key: value for key, value in options.settings.items() if value is not None}
    if isinstance(overrides.get("ca_file"), str):
        overrides["ca_file"] = str(Path(overrides["ca_file"]).expanduser().resolve())  # for a resumed run
    settings = checked(CrawlSettings, space.settings.crawl.model_dump() | of_topic | overrides, "options")
    crawl_setup.check(settings)
    return settings


def _fitting(strategy: str, topic: Topic, on_note: OnNote) -> str:
    """Return the workspace's strategy, or evidence_sum for a topic that lacks the ontologies of ``fcosa_lg``.

    Until version 1.1 `ontocrawl init` wrote ``fcosa_lg`` into the settings of every workspace.
    """
    if strategy != "fcosa_lg" or len(topic.levels) > 1:
        return strategy
    on_note(Message("runs.no_local_ontologies"))
    return "evidence_sum"


def _default_guide(strategy: Strategy, topic: Topic, *, of_classes: bool) -> str:
    """Return the default relevance function of a strategy (decision 7).

    It is ``saturated`` for strategies that use the vector of an ontology and whose paper has the tag-weighted cosine,
    because a cosine is too small with long vectors; ``word_density`` in place of ``density`` for a topic with a list
    of words and for classes; else the function of the paper.
    """
    if (topic.file.word_list or of_classes) and strategy.guide == Density().name and not strategy.guides:
        return WordDensity().name
    return (
        SATURATED
        if _uses_ontology(strategy) and not strategy.guides and strategy.guide == "paper_000"
        else crawl_setup.PUBLISHED
    )


def _uses_ontology(strategy: Strategy) -> bool:
    return any(name != "TK" for name in strategy.vocabularies)


def similarities(strategy: Strategy, vectors: TopicVectors) -> dict[str, list[list[float]]]:
    """Return vector -> Sem of each pair of its words (paper 000, Eq. 1), if the guide is a semantic cosine."""
    guides = strategy.guides or (strategy.guide,)
    if not any(isinstance(relevance(name), SemanticCosine) for name in guides):
        return {}
    return {
        name: _sem_of_words(vectors.vocabularies[name], level.ontology)
        for name, level in vectors.topic.levels_by_vector.items()
        if name in strategy.vocabularies
    }


def _sem_of_words(vocabulary: Vocabulary, ontology: Ontology) -> list[list[float]]:
    similarity = five_factors.matrix(ontology)
    row_of = {iri: row for row, iri in enumerate(similarity.iris)}
    rows = [row_of[word.iri] for word in vocabulary.words]
    sem: list[list[float]] = similarity.sem[np.ix_(rows, rows)].round(DIGITS).tolist()
    return sem


def _with_intent(strategy: type[Strategy], topic: TopicFile, given: Mapping[str, Any]) -> dict[str, Any]:
    """Add the topic's temporal intent to the parameters of a strategy, where it has such parameters.

    Args:
        strategy: the class of the strategy.
        topic: the topic file, whose table [intent] is used.
        given: the user's parameters, which take precedence.

    Returns:
        All parameters by name.

    Raises:
        UsageError: an invalid parameter, or an intent that does not fit the strategy.
    """
    intent = topic.intent.model_dump()
    try:
        intended = {name: intent.get(name.rpartition(".")[2]) for name in strategy.parameter_names(given)}
        merged = {name: value for name, value in intended.items() if value} | dict(given)
        strategy.parameters_from(merged)
    except (TypeError, ValueError) as error:
        crawl_setup.parameters_of(strategy, given)  # the error is theirs if they are invalid by themselves
        raise UsageError("runs.topic_intent_error", topic=topic.name, error=error) from error
    return merged


def _resumable(strategy: str) -> str | None:
    """Return FILE:CLASS with an absolute path, so that a later command finds it; None for a registered strategy."""
    place, sign, class_ = strategy.rpartition(":")
    if not sign:
        return None
    return f"{Path(place).resolve()}:{class_}" if place.endswith(".py") else strategy


def parameters(given: Mapping[str, str]) -> dict[str, Any]:
    """Parse values of parameters: numbers and booleans as in JSON, anything else as text.

    >>> parameters({"delta": "0.5", "quick": "true", "start": "2013-11-08"})
    {'delta': 0.5, 'quick': True, 'start': '2013-11-08'}
    """
    return {name: _value(text) for name, text in given.items()}


def _value(text: str) -> Any:
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return text
    return value if isinstance(value, bool | int | float) else text


# ---- what earlier crawls found out, read from the graph


MOST_OF_PRIOR = 5_000
"""Ranks, hosts and tokens that a configuration keeps: the highest ranks, and what most pages have."""


def prior_parts(strategy: Strategy) -> tuple[str, ...]:
    """Return the parts of a prior that a strategy reads, in the order of `crawler.frontier.prior.PARTS`."""
    of_crawled = {None, CRAWLED}  # ranks over the crawled pages of this crawl alone take nothing from others
    has_rank = any(RANKS.get(FeatureKey.parse(column).kind) not in of_crawled for column in strategy.features)
    return tuple(part for part in PARTS if part in strategy.prior or (part == "ranks" and has_rank))


def prior_of(
    space: Workspace, config: RunConfig, runs: Sequence[str], on_note: OnNote = lambda line: None, pages: int = PAGES
) -> Prior:
    """Read the prior of a run from the graph: the parts that its strategy reads.

    Args:
        space: the workspace of the graph.
        config: the configuration of the run.
        runs: names of earlier runs, which the graph has.
        on_note: called with what was read.
        pages: pages as which all these runs count together.

    Raises:
        UsageError: the graph lacks a run, or none of them read a page.
    """
    parts, names = prior_parts(crawl_setup.strategy_of(config)), tuple(dict.fromkeys(runs))
    ranks, hosts, read = dict[str, float](), dict[str, Pair](), list[Row]()
    with store(space) as graph:
        for run in names:
            for row in _asked(space, graph, "hosts/that_pay", run, on_note if "hosts" in parts else lambda line: None):
                hosts[row["host"]] = _added(hosts.get(row["host"]), (row["relevant"], row["fetched"]))
            for row in _asked(space, graph, "pages/top_by_pagerank", run, on_note) if "ranks" in parts else ():
                ranks[row["url"]] = max(ranks.get(row["url"], 0.0), round(row["pagerank"], DIGITS))
            read += anchors_of_pages(graph, run)
    if not read:
        raise UsageError("runs.prior_empty", names=", ".join(names))
    tokenizer, scale = Tokenizer(Matcher([config.vocabularies["TK"]])), min(1.0, pages / len(read))
    words, urls, led = dict[int, Pair](), dict[int, Pair](), [row for row in read if row["anchors"]]
    if "words" in parts:
        words = _pages_by_token(tokenizer.rows(["\n".join(row["anchors"]) for row in led]), led)
        urls = _pages_by_token(tokenizer.urls([row["url"] for row in read]), read)
    hosts = hosts if "hosts" in parts else {}
    prior = Prior(
        names, _most(ranks, ranks), _scaled(hosts, scale), _scaled(words, scale), _scaled(urls, scale),
        _times(_total(led), scale), _times(_total(read), scale),
    )  # fmt: skip
    kept: dict[str, tuple[Sized, Sized]] = {
        "ranks": (prior.ranks, ranks),
        "hosts": (prior.hosts, hosts),
        "words": (prior.words, words),
    }
    said = [f"{_of(*kept[part])} {part}" for part in parts]
    said += [f"{_of(prior.urls, urls)} words of URLs"] if "words" in parts else []
    of = ", ".join(names)
    on_note(Message("runs.prior_note", runs=of, said=", ".join(said), pages=len(read), count=scale * len(read)))
    return prior


def _asked(space: Workspace, graph: GraphStore, name: str, run: str, on_note: OnNote) -> list[Row]:
    """Return the rows of a query about a run; what it left out, or why there are none, is noted."""
    found, unknown = query_parameters.ask(space, graph, name, {"crawl": run, "limit": MOST_OF_PRIOR})
    if unknown:
        raise UsageError("runs.prior_prior_unknown", unknown=unknown[0])
    for why in (*(cut.message for cut in found.cuts), *found.reasons):
        on_note(Message("runs.prior_why", run=run, query=name, why=why))
    return found.records()


def _of(kept: Sized, found: Sized) -> str:
    return f"{len(kept):,}" if len(kept) == len(found) else f"{len(kept):,} of {len(found):,}"


def _pages_by_token(rows: TokenRows, pages: Sequence[Row]) -> dict[int, Pair]:
    """Return token -> relevant pages and all pages with it; a row of tokens for each page."""
    counted: Counter[int] = Counter()
    relevant: Counter[int] = Counter()
    for number, page in enumerate(pages):
        tokens = set(rows.ids[rows.indptr[number] : rows.indptr[number + 1]].tolist())
        counted.update(tokens)
        relevant.update(tokens if page["relevant"] else ())
    return {one: (float(relevant[one]), float(n)) for one, n in counted.items()}


def _total(pages: Sequence[Row]) -> Pair:
    return float(sum(page["relevant"] for page in pages)), float(len(pages))


def _added(one: Pair | None, other: Pair) -> Pair:
    return other if one is None else (one[0] + other[0], one[1] + other[1])


def _times(pair: Pair, scale: float) -> Pair:
    return round(pair[0] * scale, DIGITS), round(pair[1] * scale, DIGITS)


def _scaled(pages: Mapping[K, Pair], scale: float) -> dict[K, Pair]:
    return {key: _times(pair, scale) for key, pair in _most(pages, {key: n for key, (_, n) in pages.items()}).items()}


def _most(values: Mapping[K, V], by: Mapping[K, float]) -> dict[K, V]:
    """Return the MOST_OF_PRIOR entries with the largest numbers, equals by their keys."""
    return {key: values[key] for key in sorted(values, key=lambda key: (-by[key], str(key)))[:MOST_OF_PRIOR]}


# ---- the runs of a workspace whose pages look-ahead ``cached`` can use


def _earlier_runs(workspace: Workspace, world: str, vocabularies: Mapping[str, Vocabulary]) -> dict[str, str]:
    """Find the runs whose pages look-ahead ``cached`` can use.

    Args:
        workspace: the workspace of the runs.
        world: the world of the crawl, such as "live"; runs of other worlds are left out.
        vocabularies: the topic vectors of the crawl; runs that counted other words are left out.

    Returns:
        Name of each run -> path of its journal, oldest run first.
    """
    same: list[tuple[str, str, str]] = []
    for path in workspace.runs.glob(f"*/{JOURNAL}"):
        with closing(Journal(path)) as journal:
            data = journal.get("config")
            config = None if data is None else checked(RunConfig, data, str(path))
        if config is not None and config.world == world and _words(config.vocabularies) == _words(vocabularies):
            same.append((config.started, config.run, str(path.resolve())))
    return {name: path for _, name, path in sorted(same)}


def _words(vocabularies: Mapping[str, Vocabulary]) -> dict[str, list[tuple[Any, Any]]]:
    return {name: [(word.label, word.forms) for word in v.words] for name, v in vocabularies.items()}
