"""Score the pages of an archive: its parts on an engine, and tables of Parquet."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crawler.crawl_options import Judge
from crawler.text import Vocabulary
from ontocrawl.archives import work as works
from ontocrawl.archives.engines import engine
from ontocrawl.archives.pages import Reading
from ontocrawl.archives.parts import PART_BYTES, Part, parts_of
from ontocrawl.archives.relevance import Frequencies
from ontocrawl.archives.steps import Count, Judged


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

        run(Count(work, reading, texts), "reading", [part for part in parts if work.summary(part.number) is None])
        frequencies, totals = _totals(work, parts, vocabulary)
        judged = Judged(work, judge, vocabulary, frequencies)
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
