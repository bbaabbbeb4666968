"""Links that are known: the queue with its feature columns, and the link graph. Ids of URLs are in url_ids.py."""

from crawler.frontier.frontier import Column, Frontier, FrontierView, UndeclaredError
from crawler.frontier.link_graph import LinkGraph

__all__ = ["Column", "Frontier", "FrontierView", "LinkGraph", "UndeclaredError"]
