"""New weights for the runs of a topic, after its ontologies have a new version in the graph."""

from __future__ import annotations

from kg.store import GraphStore
from ontocrawl.topics import Topic
from ontocrawl.workspace import Workspace


def offer(space: Workspace, graph: GraphStore, topic: Topic) -> list[str]:
    """Offer the present weights of a topic to its runs that have not finished.

    Args:
        space: the workspace of the runs.
        graph: the open graph, which has the topic's ontologies.
        topic: the topic with its present ontologies.

    Returns:
        Names of the runs that were offered new weights; none as long as runs keep the weights that they began with.
    """
    return []
