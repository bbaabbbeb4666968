"""An archive of a synthetic web about rainstorms, its tables by the topic of the package, and the terms of these."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crawler.archives.writer import ArchiveWriter
from crawler.worlds import SyntheticWorld
from ontocrawl.archives.scoring import score
from ontocrawl.archives.terms import ArchiveTerms, Limits, terms
from ontocrawl.base import workspace
from ontocrawl.runs import page_scoring
from ontocrawl.topics import topics

TABLES = ("terms.parquet", "cooccurrence.parquet", "context.parquet")


def scored(folder: Path, pages: int = 100) -> Path:
    """Write the archive and its tables, in several parts."""
    world, writer = SyntheticWorld("planted", pages), ArchiveWriter(folder / "warc", {"software": "tests"})
    for index in range(pages):
        writer.write(world.fetch(world.url(index)))
    writer.close()
    topic = topics.load("rainstorm", workspace.find(None)[0])
    out, words = folder / "scored", topic.file.vocabulary()
    judge = page_scoring.judge_of(topic)
    score(folder / "warc", out, judge, words, robot=None, max_bytes=4_000_000, topic="rainstorm", part_bytes=40_000)
    return out


def run(tables: Path, out: Path, limits: Limits | None = None, **options: Any) -> ArchiveTerms:
    """Find the terms of the tables, by default in several blocks."""
    topic = topics.load("rainstorm", workspace.find(None)[0])
    return terms(tables, out, topic.ontologies, limits or Limits(block_characters=10_000), **options)


def files(out: Path) -> dict[str, bytes]:
    """The bytes of the tables of terms."""
    return {name: (out / name).read_bytes() for name in TABLES}
