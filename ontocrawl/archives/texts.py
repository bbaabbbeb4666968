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

from ontocrawl.archives import work as works
from ontocrawl.archives.tables import Tables, batches, damaged
from ontocrawl.errors import UsageError
from ontology.enrichment import PageText
from ontology.enrichment.reading import OTHERS
from ontology.files import open_atomically

_MOST_CHARACTERS = 20_000_000
"""Characters of relevant pages that enrichment reads at once: some hundreds of thousands of sentences in memory."""
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
        texts = _rows(self.folder / works.TEXTS / part, ("text",))
        for page, text, used in zip(pages, texts, _rows(self.used / part, ("used",)), strict=True):
            if used["used"]:
                yield _page_text(page, text["text"])


def parts_of(tables: Tables) -> list[str]:
    """Return the names of the files of the parts, in order.

    Raises:
        UsageError: the tables have no texts.
    """
    if not has_texts(tables):
        raise UsageError("archives.no_texts_score_archive", tables_folder=tables.folder)
    return sorted(path.name for path in (tables.folder / "pages.parquet").glob("*.parquet"))


def has_texts(tables: Tables) -> bool:
    """Return whether the tables have texts."""
    return bool(works.request_of(tables.folder).get("texts"))


def choose(tables: Tables, parts: Iterable[str], folder: Path) -> list[Amount]:
    """Write which pages of each part are used, and return how much that is.

    Args:
        tables: the tables.
        parts: names of the files of the parts, in order.
        folder: folder to write to; files that it has are replaced by the same.
    """
    kept = _kept(tables, "relevant", "characters")
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


def with_texts(tables: Tables, pages: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield pages with their texts, batch by batch.

    Args:
        tables: the tables.
        pages: rows of some pages in the order of the tables, with their places.
    """
    rows = (row for part in parts_of(tables) for row in _rows(tables.folder / works.TEXTS / part, (*_PLACE, "text")))
    for page in pages:
        texts = (row["text"] for row in rows if all(row[name] == page[name] for name in _PLACE))
        text = next(texts, None)
        if text is None:
            raise damaged(tables.folder / works.TEXTS, f"the text of {page['url']} is not in its place")
        yield page, text


class Spacing(NamedTuple):
    """Of which pages one is read: one of so many relevant ones, and one of so many others."""

    relevant: int
    others: int

    @classmethod
    def of(cls, relevant: int, others: int, every: int) -> Spacing:
        """Return the spacing that reads about as many of the other pages as of the relevant ones.

        Args:
            relevant: number of relevant pages.
            others: number of the other ones.
            every: one of so many relevant pages is read.
        """
        return cls(every, max(1, others // max(OTHERS, relevant // every)))

    def chosen(self, pages: Iterable[PageText]) -> Iterator[PageText]:
        """Yield the pages that are read, evenly spaced."""
        seen = {True: 0, False: 0}
        for page in pages:
            if seen[page.relevant] % (self.relevant if page.relevant else self.others) == 0:
                yield page
            seen[page.relevant] += 1


def for_enrichment(tables: Tables, characters: int = _MOST_CHARACTERS) -> Iterator[PageText]:
    """Yield the pages that enrichment reads: relevant ones, and as many of the others as it takes, evenly spaced.

    Args:
        tables: the tables.
        characters: characters of relevant pages from which only every second, third .. one is read.

    Raises:
        UsageError: the tables have no texts.
    """
    amount = [0, 0, 0]
    for page in _kept(tables, "relevant", "characters"):
        amount[0 if page["relevant"] else 1] += 1
        amount[2] += page["characters"] if page["relevant"] else 0
    every = -(-amount[2] // characters) or 1
    kept = with_texts(tables, _kept(tables, "url", "title", "relevance", "relevant", "fetched"))
    yield from Spacing.of(amount[0], amount[1], every).chosen(_page_text(page, text) for page, text in kept)


def _page_text(page: dict[str, Any], text: str) -> PageText:
    return PageText(page["url"], page["title"], text, page["relevance"], page["relevant"], page["fetched"] or "")


def _kept(tables: Tables, *columns: str) -> Iterator[dict[str, Any]]:
    """Yield the pages that are used, with their places."""
    found = tables.pages(*_PLACE, "noindex", *columns)
    return (page for page in found if page["near_duplicate_of"] is None and not page["noindex"])


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for batch in batches(path, columns, _BATCH):
        yield from batch.to_pylist()
