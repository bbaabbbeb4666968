"""What a crawl of a lab leaves behind: one row for each fetched page, from which all measures are computed."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontology import files


@dataclass(frozen=True, slots=True)
class Row:
    """A page of a trace, while a cell is crawled: without its label."""

    requests: int
    urls: tuple[str, str]
    """Its address, and the one after redirects."""
    R: float
    judged: bool
    parent: int


@dataclass(frozen=True, eq=False)
class Trace:
    """A crawl of n pages (DP = n), in the order of fetching.

    Attributes:
        requests: requests for pages that had been made when each page was read, shape (n,), ascending: redirects,
            failures and pages that were only looked at ahead included, robots.txt not.
        R: topic relevance of each page by the judge, in [0, 1], shape (n,).
        judged: the judge's decision, shape (n,).
        labelled: whether each page is relevant by label, shape (n,); None without labels.
        parent: the page on which the link to each page was found first, shape (n,); -1 for a seed.
        pages: 64-bit hash of the URL of each page, shape (n,).
        facts: what else is known: ``targets`` (labelled pages of the web, None without labels), ``requests`` (all that
            were made), ``stop`` (why the crawl ended), ``seconds``, ``choice_us`` (median time of a choice),
            ``counts`` (what the strategy's paper counts as DP, `Strategy.counts`); of an oracle also ``reached``
            (labelled pages that can be reached).
        printed: the same crawl with the pages that the paper counts, where these are the admitted ones and known
            (`ontocrawl.lab.printed_dp`); else None.
    """

    requests: NDArray[np.int64]
    R: NDArray[np.float64]
    judged: NDArray[np.bool_]
    labelled: NDArray[np.bool_] | None
    parent: NDArray[np.int64]
    pages: NDArray[np.uint64]
    facts: dict[str, Any]
    printed: Trace | None = None

    def __len__(self) -> int:
        """Number of fetched pages."""
        return len(self.R)

    def pages_within(self, requests: int) -> int:
        """Return the number of pages that were read within so many requests."""
        return int(np.searchsorted(self.requests, requests, side="right"))


ARRAYS = ("requests", "R", "judged", "labelled", "parent", "pages")
_PRINTED = "printed_"
"""Before the names of the arrays of `Trace.printed` in a file."""


def write(path: Path, trace: Trace) -> None:
    """Write a trace; a file is either whole or absent."""
    arrays: dict[str, Any] = _arrays(trace)
    if trace.printed is not None:
        arrays |= {_PRINTED + name: array for name, array in _arrays(trace.printed).items()}
    facts = np.frombuffer(json.dumps(trace.facts, ensure_ascii=False).encode(), dtype=np.uint8)
    stream = io.BytesIO()
    np.savez_compressed(stream, facts=facts, **arrays)
    files.write_atomically(path, stream.getvalue())


def read(path: Path) -> Trace:
    """Read a trace."""
    with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
        facts, printed = json.loads(stored["facts"].tobytes()), None
        if _PRINTED + "R" in stored:
            printed = Trace(**{name: stored.get(_PRINTED + name) for name in ARRAYS}, facts=facts)
        return Trace(**{name: stored.get(name) for name in ARRAYS}, facts=facts, printed=printed)


def _arrays(trace: Trace) -> dict[str, Any]:
    return {name: getattr(trace, name) for name in ARRAYS if getattr(trace, name) is not None}
