"""Find the terms of a scored archive in its texts: three steps on an engine, and tables of Parquet.

1. Blocks of parts with enough relevant text are searched for candidates, as `enrich propose` searches a crawl.
2. The candidates are counted in all pages of each part.
3. The formal context of the relevant pages, and the pairs of terms on a page, are made of each part.

What each step writes of parts adds up to the tables, so that their order and the engine do not matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ontocrawl.archives import tables, term_blocks, term_counts, term_pages, texts
from ontocrawl.archives import work as works
from ontocrawl.archives.engine import Engine
from ontocrawl.archives.engines import engine
from ontocrawl.archives.term_blocks import BLOCK_CHARACTERS, Extract
from ontocrawl.archives.term_counts import PartFile, Table, Tally
from ontocrawl.archives.term_pages import CELLS, Join
from ontology import formats
from ontology.enrichment.labels import Labels
from ontology.files import open_atomically
from ontology.lattice.concept_lattice import LIMIT
from ontology.model import Ontology
from ontology.terms.contrast import significance
from ontology.terms.wordforms import has_han

_USED = "used"
_FORM = works.Form(
    (),
    (
        _USED, term_blocks.FOLDER, term_counts.COUNTS, term_counts.PAGES, term_pages.CONTEXTS, term_pages.PAIRS,
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
    cells: int = CELLS
    concepts: int = LIMIT
    block_characters: int = BLOCK_CHARACTERS


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
        steps = _Steps(work, runner, [PartFile(n, name) for n, name in enumerate(names)], on_progress)
        on_progress("choosing pages", 0, len(names))
        amounts = texts.choose(opened, names, work.folder / _USED)
        read = texts.Texts(folder.absolute(), work.folder / _USED)
        blocks = term_blocks.blocks(names, amounts, limits.block_characters)
        steps.run(Extract(work, read, limits.min_documents), "finding terms", blocks)
        quality = term_blocks.merged(work, blocks, limits.terms)
        steps.run(Tally(work, read, tuple(quality)), "counting terms")
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
    parts: Sequence[PartFile]
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
    counts = term_counts.total(steps.work, steps.parts, len(quality))
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
    support = term_pages.support_within(found["documents"].to_numpy(), pages, limits.cells, limits.min_documents)
    kept = sorted(term for term, count in documents.items() if count >= support)
    number = {term: n for n, term in enumerate(counted)}
    steps.run(Join(steps.work, kept, [number[term] for term in kept]), "joining terms")
    of_kept: Table = np.array([documents[term] for term in kept], dtype=np.int64)
    pairs = term_pages.cooccurrence(steps.work, steps.parts, kept, of_kept, pages)
    _write(steps.work.folder / "cooccurrence.parquet", pairs)
    incidences = term_pages.write_context(steps.work, steps.parts, kept)
    if incidences:
        context = formats.read(steps.work.folder / term_pages.CONTEXT_FILE)
        fitting = term_pages.support_of_lattice(context, limits.concepts, support)
        if fitting > support:
            support, kept = fitting, [term for term in kept if documents[term] >= fitting]
            incidences = term_pages.write_context(steps.work, steps.parts, kept)
    return {"pairs": len(pairs), "support": support, "context_terms": len(kept), "incidences": incidences}


def _write(path: Path, table: pa.Table) -> None:
    with open_atomically(path) as file:
        pq.write_table(table, file)
