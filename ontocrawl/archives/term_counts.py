"""Step 2 of the terms of an archive: count the candidates in all pages of each part; the counts of parts add up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ontocrawl.archives.texts import Texts
from ontocrawl.archives.work import Work
from ontology.model import Document
from ontology.terms.occurrences import TermCounter

COUNTS, PAGES = "counted", "pages"
"""Folders of the counts, and of the relevant pages with their terms."""
_NAMES = ("frequency", "other_frequency", "documents", "other_documents")
_COUNTS = pa.schema([(name, pa.int64()) for name in _NAMES])
_PAGES = pa.schema([("page", pa.string()), ("terms", pa.list_(pa.int32()))])
_BATCH = 1000
Table = NDArray[np.int64]


@dataclass(frozen=True)
class PartFile:
    """A part of the tables: its number, and the name of its file in each table."""

    number: int
    name: str

    def __str__(self) -> str:
        return f"the texts of {self.name}"


@dataclass(frozen=True)
class Tally:
    """Count the terms in the pages of a part, and write which relevant page has which. A finished part is kept.

    An occurrence counts as in a formal context (`ontology.terms.occurrences`).

    Attributes:
        work: where to write.
        texts: the texts.
        terms: the terms, n of them.
    """

    work: Work
    texts: Texts
    terms: Sequence[str]

    def __call__(self, part: PartFile) -> dict[str, Any]:
        """Return the number of the part."""
        done = self.work.table(COUNTS, part.number)
        if not done.exists():
            counts = np.zeros((len(_NAMES), len(self.terms)), dtype=np.int64)
            number, counter = {term: n for n, term in enumerate(self.terms)}, TermCounter(self.terms)
            with self.work.opened(done, self.work.table(PAGES, part.number)) as (file, pages):
                rows = list[dict[str, Any]]()
                with pq.ParquetWriter(pages, _PAGES) as writer:
                    for page in self.texts.pages(part.name):
                        found = counter.count(Document("", page.title, page.text))
                        ids = np.array([number[term] for term in found], dtype=np.int64)
                        counts[0 if page.relevant else 1, ids] += np.fromiter(found.values(), np.int64)
                        counts[2 if page.relevant else 3, ids] += 1
                        if page.relevant and found:
                            rows.append({"page": page.url, "terms": sorted(ids.tolist())})
                        if len(rows) == _BATCH:
                            writer.write_table(pa.Table.from_pylist(rows, _PAGES))
                            rows.clear()
                    writer.write_table(pa.Table.from_pylist(rows, _PAGES))
                pq.write_table(pa.Table.from_arrays([pa.array(row) for row in counts], schema=_COUNTS), file)
        return {"part": part.number}


def total(work: Work, parts: Iterable[PartFile], n: int) -> dict[str, Table]:
    """Return the counts of n terms in all parts, by name, (n,) each."""
    counts = {name: np.zeros(n, dtype=np.int64) for name in _NAMES}
    for part in parts:
        table = pq.read_table(work.table(COUNTS, part.number))
        for name in _NAMES:
            counts[name] += table[name].to_numpy()
    return counts
