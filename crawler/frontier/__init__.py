"""Known links: the queue with its feature columns, the link graph, and the ids of URLs."""

from crawler.frontier.frontier import Frontier, FrontierView, UndeclaredError, ranks_within
from crawler.frontier.growable import Column
from crawler.frontier.link_graph import LinkGraph

__all__ = ["Column", "Frontier", "FrontierView", "LinkGraph", "UndeclaredError", "ranks_within"]
