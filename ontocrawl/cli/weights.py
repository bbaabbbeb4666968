"""`ontocrawl weights`: topic weights, derived from the graph by query."""

from __future__ import annotations

from typing import Annotated

import typer

from ontocrawl import graph_store, topics, wiring
from ontocrawl.cli.output import Folder, Json, print_json, table, workspace
from ontocrawl.errors import UsageError

FACTORS = ("weight", "distance", "density", "depth", "coincidence", "relation")


def weights(
    name: Annotated[str, typer.Argument(metavar="TOPIC")],
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Sem(root, concept) of every concept of the topic's ontologies, with its five factors (paper 000, Eqs. 1 to 3)."""
    space = workspace(folder, writes=True)
    topic = topics.load(name, space)
    with graph_store.store(space) as graph:
        found = [term for terms in wiring.topic_weights(topic, space, graph) for term in terms]
    if not found:
        raise UsageError(f"topic {topic.name} names no ontology, so there is nothing to derive weights from")
    if as_json:
        keys = ("word", *FACTORS, "path", "ontology", "iri")
        print_json({"weights": [{key: getattr(term, key) for key in keys} for term in found]})
        return
    for iri in dict.fromkeys(term.ontology for term in found):
        rows = [(t.word, *(getattr(t, f) for f in FACTORS), t.path) for t in found if t.ontology == iri]
        table(f"Weights by {iri}", ("word", *FACTORS, "path"), rows)
