"""Step 3 of the terms of an archive: the formal context of its relevant pages, and the pairs of terms on a page.

Only terms of enough pages are taken, so that one machine can hold the table of pages and terms: the number of pages of
each term is known from step 2. Of the context, terms are left out further until its lattice has few enough concepts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from scipy import sparse

from ontocrawl.archives.term_counts import PAGES, PartFile, Table
from ontocrawl.archives.work import Work
from ontology.context import FormalContext
from ontology.files import open_atomically
from ontology.lattice.closure import Tables
from ontology.lattice.size import estimate_size
from ontology.terms.keyness import association

CONTEXTS, PAIRS = "contexts", "pairs"
"""Folders of the contexts of parts, and of their pairs."""
CONTEXT_FILE = "context.parquet"
CELLS = 50_000_000
"""Cells of the table of relevant pages and terms at most; a lattice program holds it in memory."""
CONTEXT = pa.schema([("page", pa.string()), ("term", pa.string())])
COOCCURRENCE = pa.schema([
    ("first", pa.string()), ("second", pa.string()), ("documents", pa.int64()), ("association", pa.float64()),
])  # fmt: skip
_PAIRS = pa.schema([("first", pa.int64()), ("second", pa.int64()), ("documents", pa.int64())])


def support_within(documents: Table, pages: int, cells: int, least: int) -> int:
    """Return the smallest support with which the table of pages and terms is small enough.

    Args:
        documents: number of pages of each term, (n,).
        pages: number of all pages.
        cells: pages times terms at most.
        least: the smallest support to return.

    >>> support_within(np.array([9, 3, 3, 2]), 10, 20, 1), support_within(np.array([9, 3, 3, 2]), 10, 100, 2)
    (4, 2)
    """
    most = cells // max(pages, 1)
    falling = np.sort(documents)[::-1]
    return max(least, int(falling[most]) + 1 if len(falling) > most else 0)


def support_of_lattice(context: FormalContext, concepts: int, least: int) -> int:
    """Return the smallest support of terms with which a lattice has few enough concepts, by an estimate.

    The estimate is that of `ontology.lattice.size`; leaving out terms only removes concepts.

    Args:
        context: the context.
        concepts: number of concepts at most.
        least: the smallest support to return.
    """
    documents = [column.bit_count() for column in context.columns]

    def fits(support: int) -> bool:
        kept = sum(1 << n for n, count in enumerate(documents) if count >= support)
        return estimate_size(Tables.of(context.restricted(attribute_bits=kept))).concepts <= concepts

    supports = [least, *sorted({count + 1 for count in documents if count >= least})]
    return supports[bisect_left(supports[:-1], True, key=fits)]


@dataclass(frozen=True)
class Join:
    """Write the context of a part, and its pairs of terms. A finished part is kept.

    Attributes:
        work: where to read and write.
        terms: the m terms of the context.
        numbers: the number of each in step 2.
    """

    work: Work
    terms: Sequence[str]
    numbers: Sequence[int]

    def __call__(self, part: PartFile) -> dict[str, Any]:
        """Return the number of the part."""
        done, m = self.work.table(PAIRS, part.number), len(self.terms)
        if not done.exists():
            pairs = sparse.csr_array((m, m), dtype=np.int64)
            with self.work.opened(done, self.work.table(CONTEXTS, part.number)) as (file, context):
                with pq.ParquetWriter(context, CONTEXT) as writer:
                    for pages, terms in self._pages(part):
                        names = [self.terms[n] for of_page in terms for n in of_page]
                        owners = [page for page, of_page in zip(pages, terms, strict=True) for _ in of_page]
                        writer.write_table(pa.table([owners, names], schema=CONTEXT))
                        pairs = sparse.csr_array(pairs + _pairs(terms, m))
                found = pairs.tocoo()
                pq.write_table(pa.table([found.row, found.col, found.data], schema=_PAIRS), file)
        return {"part": part.number}

    def _pages(self, part: PartFile) -> Iterator[tuple[list[str], list[list[int]]]]:
        """Yield batches of pages, and the positions of their terms in ``terms``."""
        position = {number: at for at, number in enumerate(self.numbers)}
        with pq.ParquetFile(self.work.table(PAGES, part.number)) as file:
            for batch in file.iter_batches() if file.num_row_groups else ():
                terms = [[position[n] for n in of_page if n in position] for of_page in batch["terms"].to_pylist()]
                yield batch["page"].to_pylist(), terms


def write_context(work: Work, parts: Sequence[PartFile], terms: Sequence[str]) -> int:
    """Write the context of all parts with some terms, context.parquet, and return the number of its incidences."""
    written, values = 0, pa.array(terms, pa.string())
    with open_atomically(work.folder / CONTEXT_FILE) as stream, pq.ParquetWriter(stream, CONTEXT) as writer:
        for part in parts:
            with pq.ParquetFile(work.table(CONTEXTS, part.number)) as file:
                for batch in file.iter_batches() if file.num_row_groups else ():
                    kept = batch.filter(pc.is_in(batch["term"], values))
                    writer.write_batch(kept)
                    written += len(kept)
    return written


def cooccurrence(work: Work, parts: Sequence[PartFile], terms: Sequence[str], documents: Table, pages: int) -> pa.Table:
    """Add up the pairs of all parts.

    Args:
        work: where they are.
        parts: the parts.
        terms: the m terms of the context.
        documents: number of relevant pages of each, (m,).
        pages: number of relevant pages.

    Returns:
        A row for each pair of terms that a page has, of the schema COOCCURRENCE, by falling association (G2).
    """
    m = len(terms)
    of_parts = (pq.read_table(work.table(PAIRS, part.number)) for part in parts)
    columns = ([table[name].to_numpy() for name in _PAIRS.names] for table in of_parts)
    counted = (sparse.csr_array((both, (first, second)), shape=(m, m)) for first, second, both in columns)
    pairs = reduce(lambda a, b: sparse.csr_array(a + b), counted, sparse.csr_array((m, m), dtype=np.int64)).tocoo()
    rows = list[dict[str, Any]]()
    for i, j, both in zip(pairs.row.tolist(), pairs.col.tolist(), pairs.data.tolist(), strict=True):
        g2 = association(both, int(documents[i]), int(documents[j]), pages)
        rows.append({"first": terms[i], "second": terms[j], "documents": both, "association": round(g2, 6)})
    rows.sort(key=lambda row: (-row["association"], row["first"], row["second"]))
    return pa.Table.from_pylist(rows, COOCCURRENCE)


def _pairs(terms: Sequence[Sequence[int]], m: int) -> sparse.csr_array:
    """Count the pairs of m terms on pages, (m, m): above the diagonal, the first one has the smaller position."""
    indices = np.array([n for of_page in terms for n in of_page], dtype=np.int64)
    indptr = np.cumsum([0, *map(len, terms)])
    X = sparse.csr_array((np.ones(len(indices), dtype=np.int64), indices, indptr), shape=(len(terms), m))
    return sparse.csr_array(sparse.triu(X.T @ X, k=1))
