"""`ontocrawl weights`: topic weights, derived from the graph by query."""

from __future__ import annotations

from typing import Annotated

import typer

from kg.records import WeightedTerm
from ontocrawl.cli.arguments import choice
from ontocrawl.cli.output import Folder, Json, note, print_json, table, workspace
from ontocrawl.errors import UsageError

FACTORS = ("weight", "distance", "density", "depth", "coincidence", "relation")
COUNTS = ("weight", "sem", "key", "documents", "background")


def weights(
    name: Annotated[str, typer.Argument(metavar="TOPIC", help="Name, or path of a TOML file.")],
    scheme: Annotated[
        str | None,
        typer.Option(
            "--weights",
            metavar="sem|key|sem_key",
            help="Sem from the root, what is particular to the papers, or both; by default as `crawl run` takes it.",
        ),
    ] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Sem(root, concept) of every concept of the topic's ontologies, with its five factors (paper 000, Eqs. 1 to 3).

    By --weights key, how particular each concept is to the papers that the ontology was learned from.
    """
    from kg.key_weights import SCHEMES
    from ontocrawl import graph_store, topic_graph, topics

    space = workspace(folder, writes=True)
    topic = topics.load(name, space)
    if not topic.levels:
        raise UsageError(f"topic {topic.name} names no ontology, so there is nothing to derive weights from")
    for line in topic.changed_versions():
        note(line)
    by = topic_graph.default_scheme(topic) if scheme is None else choice("--weights", scheme, SCHEMES)
    with graph_store.store(space) as graph:
        of_level = topic_graph.TopicGraph(topic, graph, note).weighted_terms(by)
    found = [term for terms in of_level for term in terms]
    if as_json:
        print_json({"weights": [_row(term) for term in found]})
        return
    shown = FACTORS if by == "sem" else COUNTS
    for key in dict.fromkeys(term.ontology for term in found):
        of = [term for term in found if term.ontology == key]
        joined = ("ontologies",) if any(term.sources for term in of) else ()
        rows = [(t.word, *(getattr(t, f) for f in shown), t.path, *([t.sources] if joined else [])) for t in of]
        table(f"Weights by {of[0].series}, version {of[0].version}", ("word", *shown, "path", *joined), rows)


def _row(term: WeightedTerm) -> dict[str, object]:
    keys = ("word", *FACTORS, "path", "iri", "version", "sem", "key", "documents", "background")
    row = {key: getattr(term, key) for key in keys} | {"ontology": term.series}
    return row | ({"ontologies": term.sources} if term.sources else {})
