"""Score the pages of an archive: its parts on an engine, and tables of Parquet."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from crawler.crawl_options import Judge
from crawler.text import Vocabulary
from crawler.worlds.archive import record_limit
from ontocrawl.archives import work as works
from ontocrawl.archives.engines import engine
from ontocrawl.archives.pages import (
    COUNTED,
    FAILURES,
    LINKS,
    PAGES,
    PART_BYTES,
    TEXTS,
    Frequencies,
    Part,
    Reading,
    pages,
    parts_of,
    records_of,
    with_relevance,
)
from ontocrawl.archives.work import Work


@dataclass(frozen=True)
class ArchiveScores:
    """Tables of a scored archive.

    Attributes:
        out: folder of the tables.
        records: records that say what came of a request, and damaged ones.
        pages, failed: how many of them are pages, and how many are not.
        seconds: time that it took.
        spark_application: id of the Spark application; None for processes of one machine.
    """

    out: Path
    records: int
    pages: int
    failed: int
    seconds: float
    spark_application: str | None

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as values of JSON."""
        names = ("records", "pages", "failed", "seconds", "spark_application")
        return {"out": str(self.out)} | {name: getattr(self, name) for name in names}


def score(
    archive: Path,
    out: Path,
    judge: Judge,
    vocabulary: Vocabulary,
    *,
    robot: str | None,
    max_bytes: int,
    texts: bool = True,
    topic: str = "",
    jobs: int = 1,
    spark: str | None = None,
    part_bytes: int = PART_BYTES,
    on_progress: Callable[[str, int, int], None] = lambda step, done, parts: None,
) -> ArchiveScores:
    """Score the pages of an archive, and write tables of pages, links, failures and texts.

    Args:
        archive: a folder of WARC files, or one file.
        out: folder to make; with the tables of the same request it is left as it is.
        judge: relevance function and threshold.
        vocabulary: the topic vector.
        robot: name of the crawler in directives of pages for robots; None to ignore these.
        max_bytes: maximum size of a page, decoded.
        texts: whether to write the main texts of the pages, which terms are found in.
        topic: name of the topic, which is kept with the tables.
        jobs: number of processes.
        spark: a Spark master, in place of processes.
        part_bytes: size of the parts that files are divided into.
        on_progress: called with the name of a step, the parts that are done and all parts.

    Raises:
        ArchiveError: there is no such archive.
        UsageError: the folder has something else.
        CommandError: another command writes it.
        MissingExtra, SparkError: Spark cannot be started, or fails.
        OSError: a file cannot be read or written; the same command goes on later.
    """
    started = time.perf_counter()
    parts = parts_of(archive, part_bytes)
    request = works.request(topic=topic, texts=texts, **_request(parts, judge, vocabulary, robot, max_bytes))
    made = works.finished(out, request)
    if made is not None:
        return ArchiveScores(out=out, **made)
    reading = Reading((vocabulary,), robot, max_bytes)
    form = works.SCORES if texts else works.WITHOUT_TEXTS
    with engine(jobs, spark, "ontocrawl archive score") as runner, works.begun(out, request, form) as work:

        def run(step: Any, name: str, left: Sequence[Part]) -> list[dict[str, Any]]:
            on_progress(name, len(parts) - len(left), len(parts))
            return runner.run(step, left, lambda done: on_progress(name, len(parts) - len(left) + done, len(parts)))

        run(_Count(work, reading, texts), "reading", [part for part in parts if work.summary(part.number) is None])
        frequencies, totals = _totals(work, parts, vocabulary)
        judged = _Judged(work, judge, vocabulary, frequencies)
        run(judged, "scoring", [part for part in parts if not work.has_pages(part.number)])
        seconds = round(time.perf_counter() - started, 3)
        summary: dict[str, Any] = {**totals, "seconds": seconds, "spark_application": runner.application}
        works.complete(work, out, summary, form)
    return ArchiveScores(out=out, **summary)


def _request(
    parts: Sequence[Part], judge: Judge, vocabulary: Vocabulary, robot: str | None, max_bytes: int
) -> dict[str, Any]:
    """Return what determines the tables: the files by size and time, the words, the judge, the limits."""
    stamps = {part.path: (part.name, part.path.stat().st_size, part.path.stat().st_mtime_ns) for part in parts}
    bounds = [(part.begin, part.end) for part in parts]
    words = [(word.label, word.iri, word.weight, word.forms) for word in vocabulary.words]
    return {
        "archive": _digest([*stamps.values()], bounds),
        "words": _digest(words),
        "vocabulary": vocabulary.name,
        "relevance": judge.relevance.name,
        "sigma": judge.threshold,
        "strict": judge.strict,
        "robot": robot,
        "max_bytes": max_bytes,
    }


def _digest(*values: object) -> str:
    return hashlib.blake2b(repr(values).encode(), digest_size=16).hexdigest()


def _totals(work: works.Work, parts: Sequence[Part], vocabulary: Vocabulary) -> tuple[Frequencies, dict[str, int]]:
    """Return the document frequencies of the archive, and its numbers of records, pages and failures."""
    frequencies, totals = Frequencies(vocabulary), dict.fromkeys(("records", "pages", "failed"), 0)
    for part in parts:
        summary = work.summary(part.number)
        if summary is None:
            raise FileNotFoundError(f"the summary of {part} in {work.folder} is missing")
        frequencies.add(summary)
        for name in totals:
            totals[name] += summary[name]
    return frequencies, totals


# ---- the two steps of a part, which any engine runs: read it and count, then compute the relevance of its pages


@dataclass(frozen=True)
class _Count:
    """Step 1: read a part, write its rows, those of pages without relevance. A finished part is kept.

    Attributes:
        work: where to write.
        reading: the words to count, and the limits.
        texts: whether to write the texts.
    """

    work: Work
    reading: Reading
    texts: bool = True

    def __call__(self, part: Part) -> dict[str, Any]:
        """Return the numbers of records, pages and failures of a part, and its document frequencies."""
        known = self.work.summary(part.number)
        if known is not None:
            return known
        frequencies, failed = Frequencies(self.reading.vocabularies[0]), 0
        number, names = part.number, ("links.parquet", "failures.parquet", *((works.TEXTS,) if self.texts else ()))
        paths = self.work.counted(number), *(self.work.table(name, number) for name in names)
        with self.work.opened(*paths) as files:
            schemas = (COUNTED, LINKS, FAILURES, TEXTS)[: len(paths)]
            writers = [pq.ParquetWriter(file, schema) for file, schema in zip(files, schemas, strict=True)]
            for records in records_of(part, record_limit(self.reading.max_bytes)):
                tables = pages(records, self.reading)
                frequencies.add_pages(tables.pages)
                failed += tables.failures.num_rows
                for writer, rows in zip(writers, tables[: len(paths)], strict=True):
                    if rows.num_rows:
                        writer.write_batch(rows)
            for writer in writers:
                writer.close()
        N = frequencies.N
        summary = {"part": str(part), "records": N + failed, "pages": N, "failed": failed}
        self.work.finish_part(number, summary | frequencies.as_json())
        return summary | frequencies.as_json()


@dataclass(frozen=True)
class _Judged:
    """Step 2: write the pages of a part with their relevance. A finished part is kept.

    Attributes:
        work: where to read and write.
        judge: relevance function and threshold.
        vocabulary: the topic vector of the judge.
        frequencies: document frequencies of the whole archive.
    """

    work: Work
    judge: Judge
    vocabulary: Vocabulary
    frequencies: Frequencies

    def __call__(self, part: Part) -> dict[str, Any]:
        """Return the number of the part."""
        if not self.work.has_pages(part.number):
            statistics = self.frequencies.statistics(self.vocabulary)
            with (
                pq.ParquetFile(self.work.counted(part.number)) as counted,
                self.work.opened(self.work.table("pages.parquet", part.number)) as (file,),
                pq.ParquetWriter(file, PAGES) as writer,
            ):
                for batch in counted.iter_batches(1000) if counted.num_row_groups else ():  # older pyarrow refuses none
                    writer.write_table(with_relevance(batch, self.judge, self.vocabulary, statistics))
        return {"part": part.number}
