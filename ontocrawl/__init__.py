"""Learn an ontology from papers, steer a focused crawl with it, and propose terms that the ontology lacks.

>>> import ontocrawl
>>> topic = ontocrawl.Topic("rainstorm")
>>> topic.label["en"]
'rainstorm disaster'

The names in ``__all__`` are the public interface and are stable from release to release. Each is imported on first
use, so that ``import ontocrawl`` itself is fast. All errors derive from `OntocrawlError`; they are in
`ontocrawl.exceptions`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ontocrawl.version import __version__ as __version__

if TYPE_CHECKING:
    from ontocrawl.api import Graph, Learned, Run, Topic, ask, crawl, decide, learn, proposals, propose
    from ontocrawl.graph.tables import Table
    from ontology.errors import OntocrawlError
    from ontology.learn_options import LearnOptions

_HOME = {
    "Graph": "ontocrawl.api",
    "LearnOptions": "ontology.learn_options",
    "Learned": "ontocrawl.api",
    "OntocrawlError": "ontology.errors",
    "Run": "ontocrawl.api",
    "Table": "ontocrawl.graph.tables",
    "Topic": "ontocrawl.api",
    "ask": "ontocrawl.api",
    "crawl": "ontocrawl.api",
    "decide": "ontocrawl.api",
    "learn": "ontocrawl.api",
    "proposals": "ontocrawl.api",
    "propose": "ontocrawl.api",
}

__all__ = [
    "Graph", "LearnOptions", "Learned", "OntocrawlError", "Run", "Table", "Topic", "ask", "crawl", "decide", "learn",
    "proposals", "propose",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "exceptions":
        return import_module("ontocrawl.exceptions")
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
