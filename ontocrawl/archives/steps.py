"""The two steps of a part, which any engine runs: read it and count, then compute the relevance of its pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow.parquet as pq

from crawler.crawl_options import Judge
from crawler.text import Vocabulary
from crawler.worlds.archive import record_limit
from ontocrawl.archives import work as works
from ontocrawl.archives.pages import Reading, pages
from ontocrawl.archives.parts import Part, records_of
from ontocrawl.archives.relevance import Frequencies, with_relevance
from ontocrawl.archives.schema import COUNTED, FAILURES, LINKS, PAGES, TEXTS
from ontocrawl.archives.work import Work


@dataclass(frozen=True)
class Count:
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
class Judged:
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
