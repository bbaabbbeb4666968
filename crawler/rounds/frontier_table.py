"""The frontier after each round as a Parquet table: the queued links with their priorities and feature columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from crawler.frontier import Frontier
from crawler.frontier.url_ids import UrlIds
from crawler.url import host
from ontology.extras import require

KEPT = 2
"""Tables that are kept: that of the last round, and the one before it for who reads it now."""


def _path_of(folder: Path, number: int) -> Path:
    """Return the path of the table after a round.

    >>> _path_of(Path("frontier"), 7).as_posix()
    'frontier/round-00007.parquet'
    """
    return folder / f"round-{number:05d}.parquet"


def write(folder: Path, number: int, frontier: Frontier, urls: UrlIds) -> Path:
    """Write the table of a round, whole or not at all, and delete those of earlier rounds but the last.

    Args:
        folder: folder of the tables; it is made where it is missing.
        number: number of the round that has ended.
        frontier: the frontier of the crawl.
        urls: its URLs by id.

    Returns:
        The path of the table. Its rows are ordered by priority, the best first; columns: ``link`` (id), ``url``,
        ``host``, ``priority``, ``step`` (pages fetched when the link was found), and each feature of the strategy.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    parquet, arrow = require("pyarrow.parquet", "archive", "--rounds"), require("pyarrow", "archive", "--rounds")
    links = frontier.queued()
    links = links[np.argsort(-frontier.priority(links), kind="stable")]
    names = [urls.url(link) for link in links.tolist()]
    columns: dict[str, Any] = {
        "link": links,
        "url": arrow.array(names, arrow.string()),
        "host": arrow.array([host(name) for name in names], arrow.string()),
        "priority": frontier.priority(links),
        "step": frontier.numbers("step", links),
        **{name: frontier.column(name, links) for name in frontier.feature_names},
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = _path_of(folder, number)
    part = path.with_suffix(".part")
    parquet.write_table(arrow.table(columns).replace_schema_metadata({"round": str(number)}), part)
    part.replace(path)
    for old in sorted(folder.glob("round-*.parquet"))[:-KEPT]:
        old.unlink()
    return path
