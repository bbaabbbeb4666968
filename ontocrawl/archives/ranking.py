"""Rank the pages of a scored archive by their links: PageRank, authorities and hubs, as one more table."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from kg.ranking.hits import hits
from kg.ranking.pagerank import pagerank
from ontocrawl.archives import tables
from ontology.errors import Message
from ontology.files import open_atomically

TABLE = "ranks.parquet"
"""Name of the table in the folder of the others."""


@dataclass(frozen=True)
class ArchiveRanks:
    """The ranks that were written.

    Attributes:
        out: the file.
        nodes: pages, and URLs that only links name.
        pages: number of pages.
        links: different links.
        iterations: of PageRank.
        seconds: time that it took.
    """

    out: Path
    nodes: int
    pages: int
    links: int
    iterations: int
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as values of JSON."""
        return {**asdict(self), "out": str(self.out)}


def rank(folder: Path) -> ArchiveRanks:
    """Compute the ranks of all nodes of the link graph, and write them beside the other tables.

    PageRank is that of paper 000, Eq. (7); authorities and hubs are those of Kleinberg 1999. An earlier table is
    replaced when the new one is whole.

    Args:
        folder: the tables of a scored archive.

    Raises:
        UsageError: the folder has no such tables.
        CommandError: the links need more memory than is free.
        OSError: the table cannot be written.
    """
    started = time.perf_counter()
    graph = tables.opened(folder).ends(Message("archives.more_memory"))
    n = len(graph.urls)
    ranks, scores = pagerank(n, graph.source, graph.target), hits(n, graph.source, graph.target)
    table = pa.table({
        "url": graph.urls,
        "page": np.arange(n) < graph.pages,
        "in_links": tables.degrees(graph.target, n), "out_links": tables.degrees(graph.source, n),
        "pagerank": ranks.values, "authority": scores.authority, "hub": scores.hub,
    })  # fmt: skip
    out = folder / TABLE
    with open_atomically(out) as stream:
        pq.write_table(table, stream)
    seconds = round(time.perf_counter() - started, 3)
    return ArchiveRanks(out, n, graph.pages, len(graph.source), ranks.iterations, seconds)
