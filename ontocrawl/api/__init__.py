"""The Python interface: the verbs of the command line as functions and classes.

Import these names from `ontocrawl`; they keep their meaning from release to release (CONTRIBUTING). Each one does what
the command of its name does, in the same workspace, so that commands and Python can follow each other.
"""

from ontocrawl.api.crawls import Run, crawl, propose
from ontocrawl.api.graphs import Graph, ask
from ontocrawl.api.topics import Learned, Topic, learn

__all__ = ["Graph", "Learned", "Run", "Topic", "ask", "crawl", "learn", "propose"]
