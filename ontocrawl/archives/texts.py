"""The texts of a scored archive, as enrichment reads pages: each page once, without what robots may not use.

A page counts by its newest record; a near-duplicate of an earlier page and a page that asks robots not to use its text
are left out, as in a crawl. Which rows remain takes a look at all parts, so it is written for each part once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from ontocrawl.archives import work
from ontocrawl.archives.tables import Tables
from ontocrawl.errors import Option, UsageError
from ontology.enrichment import PageText
from ontology.files import open_atomically

_BATCH = 500
_PLACE = ("file", "offset", "skip")
_USED = pa.schema([("used", pa.bool_())])


class Amount(NamedTuple):
    """How much of a part is used: its relevant pages, the others, and the characters of the relevant ones."""

    relevant: int
    others: int
    characters: int


@dataclass(frozen=True)
class Texts:
    """The texts of a scored archive. It can be sent to other processes, which have the same file system.

    Attributes:
        folder: the tables of the archive.
        used: folder with a file for each part that says which of its pages are used.
    """

    folder: Path
    used: Path

    def pages(self, part: str) -> Iterator[PageText]:
        """Yield the pages of a part that are used, in the order of the rows.

        Args:
            part: name of the file of the part.
        """
        names = ("url", "title", "relevance", "relevant", "fetched")
        pages = _rows(self.folder / "pages.parquet" / part, names)
        texts = _rows(self.folder / work.TEXTS / part, ("text",))
        for page, text, used in zip(pages, texts, _rows(self.used / part, ("used",)), strict=True):
            if used["used"]:
                about = page["url"], page["title"], text["text"], page["relevance"], page["relevant"]
                yield PageText(*about, page["fetched"] or "")


def parts_of(tables: Tables) -> list[str]:
    """Return the names of the files of the parts, in order.

    Raises:
        UsageError: the tables have no texts.
    """
    names = sorted(path.name for path in (tables.folder / "pages.parquet").glob("*.parquet"))
    if not all((tables.folder / work.TEXTS / name).exists() for name in names):
        raise UsageError(
            f"{tables.folder} has no texts: score the archive again into another folder, without ",
            Option("--no-texts", "texts=False"),
        )
    return names


def choose(tables: Tables, parts: Iterable[str], folder: Path) -> list[Amount]:
    """Write which pages of each part are used, and return how much that is.

    Args:
        tables: the tables.
        parts: names of the files of the parts, in order.
        folder: folder to write to; files that it has are replaced by the same.
    """
    columns = (*_PLACE, "relevant", "noindex", "characters")
    kept = (p for p in tables.pages(*columns) if p["near_duplicate_of"] is None and not p["noindex"])
    following = next(kept, None)
    amounts = []
    for part in parts:
        relevant = others = characters = 0
        used = list[bool]()
        for row in _rows(tables.folder / "pages.parquet" / part, _PLACE):
            used.append(following is not None and all(row[name] == following[name] for name in _PLACE))
            if following is not None and used[-1]:
                relevant, others = relevant + following["relevant"], others + (not following["relevant"])
                characters += following["characters"] if following["relevant"] else 0
                following = next(kept, None)
        with open_atomically(folder / part) as file:
            pq.write_table(pa.table({"used": used}, schema=_USED), file)
        amounts.append(Amount(relevant, others, characters))
    return amounts


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(_BATCH, columns=list(columns)) if file.num_row_groups else ():
            yield from batch.to_pylist()
