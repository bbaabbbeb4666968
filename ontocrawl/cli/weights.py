"""`ontocrawl weights`: topic weights, computed by queries on the graph."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict

from kg.records import WeightedTerm
from ontocrawl.base.options import CrawlSettings
from ontocrawl.cli.arguments import TopicSource, Versions, choice
from ontocrawl.cli.crawl_options import with_options
from ontocrawl.cli.output import Answer, Folder, note, tabled, workspace
from ontocrawl.errors import UsageError
from ontology.errors import Message

FACTORS = ("weight", "distance", "density", "depth", "coincidence", "relation")
COUNTS = ("weight", "sem", "key", "documents", "pages", "background")


@with_options(CrawlSettings, "weights")
def weights(
    name: TopicSource,
    weights: str | None = None,
    version: Versions = None,
    folder: Folder = None,
) -> Answer:
    """Compute Sem(root, concept) and its five factors for every concept of a topic's ontologies.

    Sem is defined by paper 000, Eqs. 1 to 3. With --weights key, compute the keyness of each concept in
    the papers that the ontology was learned from.
    """
    from kg.key_weights import SCHEMES
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import kept_versions, topic_graph, topics

    space = workspace(folder, writes=True)
    topic = topics.load(name, space)
    if not topic.levels:
        raise UsageError("cli.topic_names_no_ontology", topic=topic.name)
    with ExitStack() as stack:
        if version is None:
            for line in topic.changed_versions():
                note(line)
        else:
            topic = stack.enter_context(kept_versions.opened(topic, version))
        used = topic.scheme if weights is None else choice("--weights", weights, SCHEMES)
        graph = stack.enter_context(graph_store.store(space))
        levels = topic_graph.TopicGraph(topic, graph, note).weighted_terms(used)
    shown = FACTORS if used == "sem" else COUNTS
    tables = []
    for terms in levels:
        joined = ("ontologies",) if any(term.sources for term in terms) else ()
        rows = [(t.word, *map(_row(t).get, shown), " › ".join(t.path), *([t.sources] if joined else [])) for t in terms]
        title = Message("cli.of_weights", series=terms[0].series, version=terms[0].version)
        tables.append(tabled(title, ("word", *shown, "path", *joined), rows, optional=("path",)))
    return Answer({"weights": [_row(term) for terms in levels for term in terms]}, tables)


def _row(term: WeightedTerm) -> dict[str, object]:
    keys = ("word", "weight", "path", "iri", "version", "sem", "key", "documents", "pages", "background")
    row = {key: getattr(term, key) for key in keys} | asdict(term.factors) | {"ontology": term.series}
    return row | ({"ontologies": term.sources} if term.sources else {})
