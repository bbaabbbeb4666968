"""The Python interface: the verbs of the command line as functions and classes.

Import these names from `ontocrawl`; they are stable from release to release (CONTRIBUTING). Each does the same as the
command of that name, in the same workspace, so that commands and Python calls can be mixed.
"""

from ontocrawl.api.crawls import Run, crawl
from ontocrawl.api.enrichment import decide, proposals, propose
from ontocrawl.api.graphs import Graph, ask
from ontocrawl.api.topics import Learned, Topic, learn

__all__ = ["Graph", "Learned", "Run", "Topic", "ask", "crawl", "decide", "learn", "proposals", "propose"]
