"""Find the terms of a scored archive in its texts: three steps on an engine, and tables of Parquet.

1. Blocks of parts with enough relevant text are searched for candidates, as `enrich propose` searches a crawl.
2. The candidates are counted in all pages of each part.
3. The formal context of the relevant pages, and the pairs of terms on a page, are made of each part.

What each step writes of parts adds up to the tables, so that their order and the engine do not matter.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy import sparse

from ontocrawl.archives import tables, texts
from ontocrawl.archives import work as works
from ontocrawl.archives.engine import Engine
from ontocrawl.archives.engines import engine
from ontocrawl.archives.texts import Amount, Spacing, Texts
from ontocrawl.archives.work import Work
from ontology import formats
from ontology.context import FormalContext
from ontology.enrichment import PageText
from ontology.enrichment.extraction import candidates
from ontology.enrichment.labels import Labels
from ontology.enrichment.reading import read
from ontology.files import open_atomically
from ontology.lattice.closure import Tables
from ontology.lattice.concept_lattice import LIMIT
from ontology.lattice.size import estimate_size
from ontology.model import Document, Ontology
from ontology.terms.contrast import significance
from ontology.terms.keyness import association
from ontology.terms.occurrences import TermCounter
from ontology.terms.wordforms import has_han

# ---- step 2 of the terms of an archive: count the candidates in all pages of each part; the counts of parts add up


_TERM_COUNTS, _COUNTED_PAGES = "counted", "pages"
"""Folders of the counts, and of the relevant pages with their terms."""
_NAMES = ("frequency", "other_frequency", "documents", "other_documents")
_COUNTS = pa.schema([(name, pa.int64()) for name in _NAMES])
_PAGES = pa.schema([("page", pa.string()), ("terms", pa.list_(pa.int32()))])
_BATCH = 1000
_Table = NDArray[np.int64]


@dataclass(frozen=True)
class _PartFile:
    """A part of the tables: its number, and the name of its file in each table."""

    number: int
    name: str

    def __str__(self) -> str:
        return f"the texts of {self.name}"


@dataclass(frozen=True)
class _Tally:
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

    def __call__(self, part: _PartFile) -> dict[str, Any]:
        """Return the number of the part."""
        done = self.work.table(_TERM_COUNTS, part.number)
        if not done.exists():
            counts = np.zeros((len(_NAMES), len(self.terms)), dtype=np.int64)
            number, counter = {term: n for n, term in enumerate(self.terms)}, TermCounter(self.terms)
            with self.work.opened(done, self.work.table(_COUNTED_PAGES, part.number)) as (file, pages):
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


def _total(work: Work, parts: Iterable[_PartFile], n: int) -> dict[str, _Table]:
    """Return the counts of n terms in all parts, by name, (n,) each."""
    counts = {name: np.zeros(n, dtype=np.int64) for name in _NAMES}
    for part in parts:
        table = pq.read_table(work.table(_TERM_COUNTS, part.number))
        for name in _NAMES:
            counts[name] += table[name].to_numpy()
    return counts


# ---- step 3 of the terms of an archive: the formal context of its relevant pages, and the pairs of terms on a page
#
# Only terms of enough pages are taken, so that one machine can hold the table of pages and terms: the number of pages
# of each term is known from step 2. Of the context, terms are left out further until its lattice has few enough
# concepts.


_CONTEXTS, _PAIRS_OF_PAGES = "contexts", "pairs"
"""Folders of the contexts of parts, and of their pairs."""
_CONTEXT_FILE = "context.parquet"
_CELLS = 50_000_000
"""Cells of the table of relevant pages and terms at most; a lattice program holds it in memory."""
CONTEXT = pa.schema([("page", pa.string()), ("term", pa.string())])
COOCCURRENCE = pa.schema([
    ("first", pa.string()), ("second", pa.string()), ("documents", pa.int64()), ("association", pa.float64()),
])  # fmt: skip
_PAIRS = pa.schema([("first", pa.int64()), ("second", pa.int64()), ("documents", pa.int64())])


def _support_within(documents: _Table, pages: int, cells: int, least: int) -> int:
    """Return the smallest support with which the table of pages and terms is small enough.

    Args:
        documents: number of pages of each term, (n,).
        pages: number of all pages.
        cells: pages times terms at most.
        least: the smallest support to return.

    >>> _support_within(np.array([9, 3, 3, 2]), 10, 20, 1), _support_within(np.array([9, 3, 3, 2]), 10, 100, 2)
    (4, 2)
    """
    most = cells // max(pages, 1)
    falling = np.sort(documents)[::-1]
    return max(least, int(falling[most]) + 1 if len(falling) > most else 0)


def _support_of_lattice(context: FormalContext, concepts: int, least: int) -> int:
    """Return the smallest support of terms with which a lattice has few enough concepts, by an estimate.

    The estimate is that of `ontology.lattice.size`; leaving out terms only removes concepts.

    Args:
        context: the context.
        concepts: number of concepts at most.
        least: the smallest support to return.
    """
    documents: list[int] = context.supports.tolist()

    def fits(support: int) -> bool:
        kept = sum(1 << n for n, count in enumerate(documents) if count >= support)
        return estimate_size(Tables.of(context.restricted(attribute_bits=kept))).concepts <= concepts

    supports = [least, *sorted({count + 1 for count in documents if count >= least})]
    return supports[bisect_left(supports[:-1], True, key=fits)]


@dataclass(frozen=True)
class _Join:
    """Write the context of a part, and its pairs of terms. A finished part is kept.

    Attributes:
        work: where to read and write.
        terms: the m terms of the context.
        numbers: the number of each in step 2.
    """

    work: Work
    terms: Sequence[str]
    numbers: Sequence[int]

    def __call__(self, part: _PartFile) -> dict[str, Any]:
        """Return the number of the part."""
        done, m = self.work.table(_PAIRS_OF_PAGES, part.number), len(self.terms)
        if not done.exists():
            pairs = sparse.csr_array((m, m), dtype=np.int64)
            with self.work.opened(done, self.work.table(_CONTEXTS, part.number)) as (file, context):
                with pq.ParquetWriter(context, CONTEXT) as writer:
                    for pages, terms in self._pages(part):
                        names = [self.terms[n] for of_page in terms for n in of_page]
                        owners = [page for page, of_page in zip(pages, terms, strict=True) for _ in of_page]
                        writer.write_table(pa.table([owners, names], schema=CONTEXT))
                        pairs = sparse.csr_array(pairs + _pairs(terms, m))
                found = pairs.tocoo()
                pq.write_table(pa.table([found.row, found.col, found.data], schema=_PAIRS), file)
        return {"part": part.number}

    def _pages(self, part: _PartFile) -> Iterator[tuple[list[str], list[list[int]]]]:
        """Yield batches of pages, and the positions of their terms in ``terms``."""
        position = {number: at for at, number in enumerate(self.numbers)}
        with pq.ParquetFile(self.work.table(_COUNTED_PAGES, part.number)) as file:
            for batch in file.iter_batches() if file.num_row_groups else ():
                terms = [[position[n] for n in of_page if n in position] for of_page in batch["terms"].to_pylist()]
                yield batch["page"].to_pylist(), terms


def _write_context(work: Work, parts: Sequence[_PartFile], terms: Sequence[str]) -> int:
    """Write the context of all parts with some terms, context.parquet, and return the number of its incidences."""
    written, values = 0, pa.array(terms, pa.string())
    with open_atomically(work.folder / _CONTEXT_FILE) as stream, pq.ParquetWriter(stream, CONTEXT) as writer:
        for part in parts:
            with pq.ParquetFile(work.table(_CONTEXTS, part.number)) as file:
                for batch in file.iter_batches() if file.num_row_groups else ():
                    kept = batch.filter(pc.is_in(batch["term"], values))
                    writer.write_batch(kept)
                    written += len(kept)
    return written


def _cooccurrence(
    work: Work, parts: Sequence[_PartFile], terms: Sequence[str], documents: _Table, pages: int
) -> pa.Table:
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
    of_parts = (pq.read_table(work.table(_PAIRS_OF_PAGES, part.number)) for part in parts)
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


# ---- step 1 of the terms of an archive: candidates, extracted from blocks of parts that have enough relevant text
#
# Candidates and their quality come of the words beside a term, so they are found in many relevant pages at once: a
# block has about as much relevant text as `ontocrawl enrich propose` searches in a crawl, and is read in the same
# way. Of its other pages, as many are read as of relevant ones, evenly spaced.


_BLOCK_CHARACTERS = 4_000_000
"""Characters of relevant pages from which a block is full."""
_FOLDER = "candidates"
CANDIDATES = pa.schema([
    ("term", pa.string()), ("score", pa.float64()), ("documents", pa.int64()), ("quality", pa.float64()),
])  # fmt: skip


@dataclass(frozen=True)
class Block:
    """Consecutive parts.

    Attributes:
        number: number of the block.
        parts: names of the files of its parts.
        spacing: which pages are read: all relevant ones, unless a single part has far too many.
    """

    number: int
    parts: tuple[str, ...]
    spacing: Spacing

    def __str__(self) -> str:
        return f"the texts of {self.parts[0]} to {self.parts[-1]}"


def _blocks(parts: Sequence[str], amounts: Sequence[Amount], characters: int = _BLOCK_CHARACTERS) -> list[Block]:
    """Group parts to blocks.

    Args:
        parts: names of the files of the parts.
        amounts: how much of each part is used.
        characters: characters of relevant pages from which a block is full.

    Returns:
        The blocks; none where no page is relevant. What follows the last full block belongs to it.

    >>> [b.parts for b in _blocks(("a", "b", "c", "d"), [Amount(1, 0, n) for n in (9, 2, 8, 1)], 10)]
    [('a', 'b'), ('c', 'd')]
    """
    groups: list[list[int]] = [[]]
    left = sum(amount.relevant for amount in amounts)
    size = 0
    for n, amount in enumerate(amounts):
        groups[-1].append(n)
        size, left = size + amount.characters, left - amount.relevant
        if size >= characters and left:
            groups.append([])
            size = 0
    made: list[Block] = []
    for group in groups:
        relevant, others, size = (sum(amounts[n][field] for n in group) for field in range(3))
        if relevant:
            every = max(1, size // (2 * characters))
            names = tuple(parts[n] for n in group)
            made.append(Block(len(made), names, Spacing.of(relevant, others, every)))
    return made


@dataclass(frozen=True)
class _Extract:
    """Write the candidates of a block. A finished block is kept.

    Attributes:
        work: where to write.
        texts: the texts.
        min_documents: minimum number of relevant pages of the block with a term.
    """

    work: Work
    texts: Texts
    min_documents: int

    def __call__(self, block: Block) -> dict[str, Any]:
        """Return the number of the block."""
        path = self.work.table(_FOLDER, block.number)
        if not path.exists():
            found = candidates(read(self._pages(block)), self.min_documents)
            rows = [{name: getattr(term, name) for name in CANDIDATES.names if name != "term"} | {"term": term.text}
                    for term in found]  # fmt: skip
            with self.work.opened(path) as (file,):
                pq.write_table(pa.Table.from_pylist(rows, CANDIDATES), file)
        return {"part": block.number}

    def _pages(self, block: Block) -> Iterator[PageText]:
        return block.spacing.chosen(page for part in block.parts for page in self.texts.pages(part))


def _merged(work: Work, made: Sequence[Block], limit: int) -> dict[str, float]:
    """Join the candidates of all blocks.

    Args:
        work: where they are.
        made: the blocks.
        limit: maximum number of terms; those with the largest sum of scores are kept, of equal sums by the text.

    Returns:
        Term -> its quality, the mean over the blocks that have it by their documents; sorted by term.
    """
    sums: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for block in made:
        for row in pq.read_table(work.table(_FOLDER, block.number)).to_pylist():
            entry = sums[row["term"]]
            entry[0] += row["score"]
            entry[1] += row["documents"]
            entry[2] += row["documents"] * row["quality"]
    best = sorted(sums, key=lambda term: (-sums[term][0], term))[:limit]
    return {term: sums[term][2] / sums[term][1] for term in sorted(best)}


# ---- find the terms of a scored archive in its texts: three steps on an engine, and tables of Parquet


_USED = "used"
_FORM = works.Form(
    (),
    (
        _USED, _FOLDER, _TERM_COUNTS, _COUNTED_PAGES, _CONTEXTS, _PAIRS_OF_PAGES,
    ),
    "terms.json",
    "terms",
)  # fmt: skip
TERMS = pa.schema([
    ("term", pa.string()), ("language", pa.string()), ("known", pa.bool_()), ("frequency", pa.int64()),
    ("documents", pa.int64()), ("other_frequency", pa.int64()), ("other_documents", pa.int64()),
    ("quality", pa.float64()), ("significance", pa.float64()),
])  # fmt: skip


@dataclass(frozen=True)
class Limits:
    """What bounds the tables, and the memory that they take.

    Attributes:
        min_documents: relevant pages with a term at least.
        terms: terms that are counted at most.
        cells: relevant pages times terms of the pairs and of the context at most.
        concepts: concepts of the lattice of the context at most, by an estimate.
        block_characters: characters of relevant pages that candidates are searched in at once.
    """

    min_documents: int = 2
    terms: int = 10_000
    cells: int = _CELLS
    concepts: int = LIMIT
    block_characters: int = _BLOCK_CHARACTERS


@dataclass(frozen=True)
class ArchiveTerms:
    """The terms that were written.

    Attributes:
        out: folder of the tables.
        pages, others: relevant pages and other pages that were read, each page once.
        terms: number of terms.
        new: how many of them the topic's ontologies lack.
        support: relevant pages that a term of the context has at least.
        context_terms: number of terms of the context.
        incidences: pairs of a page and a term in the context.
        pairs: pairs of terms that a page has.
        seconds: time that it took.
        spark_application: id of the Spark application; None for processes of one machine.
    """

    out: Path
    pages: int
    others: int
    terms: int
    new: int
    support: int
    context_terms: int
    incidences: int
    pairs: int
    seconds: float
    spark_application: str | None

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as values of JSON."""
        return {**asdict(self), "out": str(self.out)}


def terms(
    folder: Path,
    out: Path,
    ontologies: Sequence[Ontology],
    limits: Limits = Limits(),
    *,
    jobs: int = 1,
    spark: str | None = None,
    on_progress: Callable[[str, int, int], None] = lambda step, done, parts: None,
) -> ArchiveTerms:
    """Find the terms of the relevant pages of a scored archive, and write tables of them.

    Args:
        folder: the tables of the archive, with texts.
        out: folder to make; with the tables of the same request it is left as it is.
        ontologies: the ontologies of the topic, whose labels are known terms.
        limits: what bounds the tables.
        jobs: number of processes.
        spark: a Spark master, in place of processes.
        on_progress: called with the name of a step, the parts that are done and all parts.

    Raises:
        UsageError: the folder has no such tables, ``out`` has something else, or another command writes it.
        MissingExtra, SparkError: Spark cannot be started, or fails.
        OSError: a file cannot be read or written; the same command goes on later.
    """
    started = time.perf_counter()
    keys = [ontology.key for ontology in ontologies]
    request = works.request(scored=works.request_of(folder), ontologies=keys, **asdict(limits))
    made = works.finished(out, request, _FORM)
    if made is not None:
        return ArchiveTerms(out=out, **made)
    opened = tables.opened(folder)
    names = texts.parts_of(opened)
    with engine(jobs, spark, "ontocrawl archive terms") as runner, works.begun(out, request, _FORM) as work:
        steps = _Steps(work, runner, [_PartFile(n, name) for n, name in enumerate(names)], on_progress)
        on_progress("choosing pages", 0, len(names))
        amounts = texts.choose(opened, names, work.folder / _USED)
        read = texts.Texts(folder.absolute(), work.folder / _USED)
        blocks = _blocks(names, amounts, limits.block_characters)
        steps.run(_Extract(work, read, limits.min_documents), "finding terms", blocks)
        quality = _merged(work, blocks, limits.terms)
        steps.run(_Tally(work, read, tuple(quality)), "counting terms")
        totals = sum(a.relevant for a in amounts), sum(a.others for a in amounts)
        found = _table(quality, steps, totals, Labels(c for o in ontologies for c in o.concepts), limits)
        _write(work.folder / "terms.parquet", found)
        summary = {"pages": totals[0], "others": totals[1], "terms": len(found),
                   "new": found["known"].to_pylist().count(False)}  # fmt: skip
        summary |= _join(steps, tuple(quality), found, limits, totals[0])
        summary |= {"seconds": round(time.perf_counter() - started, 3), "spark_application": runner.application}
        works.complete(work, out, summary, _FORM)
    return ArchiveTerms(out=out, **summary)


@dataclass(frozen=True)
class _Steps:
    """Runs steps on an engine."""

    work: works.Work
    runner: Engine
    parts: Sequence[_PartFile]
    on_progress: Callable[[str, int, int], None]

    def run(self, step: Any, name: str, units: Iterable[Any] | None = None) -> None:
        """Apply a step to all parts, or to other units of work."""
        over = [*(self.parts if units is None else units)]
        self.on_progress(name, 0, len(over))
        self.runner.run(step, over, lambda done: self.on_progress(name, done, len(over)))


def _table(
    quality: dict[str, float], steps: _Steps, totals: tuple[int, int], labels: Labels, limits: Limits
) -> pa.Table:
    """Return the terms of enough relevant pages, of the schema TERMS, by falling significance."""
    counts = _total(steps.work, steps.parts, len(quality))
    rows = list[dict[str, Any]]()
    for n, (term, q) in enumerate(quality.items()):
        numbers = {name: int(values[n]) for name, values in counts.items()}
        if numbers["documents"] < limits.min_documents:
            continue
        score = significance(numbers["documents"], numbers["other_documents"], *totals, q)
        if score > 0:
            rows.append({
                "term": term, "language": "zh" if has_han(term) else "en", "known": labels.is_trivial(term), **numbers,
                "quality": round(q, 6), "significance": round(score, 6),
            })  # fmt: skip
    rows.sort(key=lambda row: (-row["significance"], row["term"]))
    return pa.Table.from_pylist(rows, TERMS)


def _join(steps: _Steps, counted: Sequence[str], found: pa.Table, limits: Limits, pages: int) -> dict[str, int]:
    """Write the pairs of terms and the context, and return their numbers."""
    documents = dict(zip(found["term"].to_pylist(), found["documents"].to_pylist(), strict=True))
    support = _support_within(found["documents"].to_numpy(), pages, limits.cells, limits.min_documents)
    kept = sorted(term for term, count in documents.items() if count >= support)
    number = {term: n for n, term in enumerate(counted)}
    steps.run(_Join(steps.work, kept, [number[term] for term in kept]), "joining terms")
    of_kept: _Table = np.array([documents[term] for term in kept], dtype=np.int64)
    pairs = _cooccurrence(steps.work, steps.parts, kept, of_kept, pages)
    _write(steps.work.folder / "cooccurrence.parquet", pairs)
    incidences = _write_context(steps.work, steps.parts, kept)
    if incidences:
        context = formats.read(steps.work.folder / _CONTEXT_FILE)
        fitting = _support_of_lattice(context, limits.concepts, support)
        if fitting > support:
            support, kept = fitting, [term for term in kept if documents[term] >= fitting]
            incidences = _write_context(steps.work, steps.parts, kept)
    return {"pairs": len(pairs), "support": support, "context_terms": len(kept), "incidences": incidences}


def _write(path: Path, table: pa.Table) -> None:
    with open_atomically(path) as file:
        pq.write_table(table, file)
