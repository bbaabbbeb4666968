"""Step 1 of the terms of an archive: candidates, extracted from blocks of parts that have enough relevant text.

Candidates and their quality come of the words beside a term, so they are found in many relevant pages at once: a block
has about as much relevant text as `ontocrawl enrich propose` searches in a crawl, and is read in the same way. Of its
other pages, as many are read as of relevant ones, evenly spaced.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ontocrawl.archives.texts import Amount, Spacing, Texts
from ontocrawl.archives.work import Work
from ontology.enrichment import PageText
from ontology.enrichment.extraction import candidates
from ontology.enrichment.reading import read

BLOCK_CHARACTERS = 4_000_000
"""Characters of relevant pages from which a block is full."""
FOLDER = "candidates"
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


def blocks(parts: Sequence[str], amounts: Sequence[Amount], characters: int = BLOCK_CHARACTERS) -> list[Block]:
    """Group parts to blocks.

    Args:
        parts: names of the files of the parts.
        amounts: how much of each part is used.
        characters: characters of relevant pages from which a block is full.

    Returns:
        The blocks; none where no page is relevant. What follows the last full block belongs to it.

    >>> [b.parts for b in blocks(("a", "b", "c", "d"), [Amount(1, 0, n) for n in (9, 2, 8, 1)], 10)]
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
class Extract:
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
        path = self.work.table(FOLDER, block.number)
        if not path.exists():
            found = candidates(read(self._pages(block)), self.min_documents)
            rows = [{name: getattr(term, name) for name in CANDIDATES.names if name != "term"} | {"term": term.text}
                    for term in found]  # fmt: skip
            with self.work.opened(path) as (file,):
                pq.write_table(pa.Table.from_pylist(rows, CANDIDATES), file)
        return {"part": block.number}

    def _pages(self, block: Block) -> Iterator[PageText]:
        return block.spacing.chosen(page for part in block.parts for page in self.texts.pages(part))


def merged(work: Work, made: Sequence[Block], limit: int) -> dict[str, float]:
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
        for row in pq.read_table(work.table(FOLDER, block.number)).to_pylist():
            entry = sums[row["term"]]
            entry[0] += row["score"]
            entry[1] += row["documents"]
            entry[2] += row["documents"] * row["quality"]
    best = sorted(sums, key=lambda term: (-sums[term][0], term))[:limit]
    return {term: sums[term][2] / sums[term][1] for term in sorted(best)}
