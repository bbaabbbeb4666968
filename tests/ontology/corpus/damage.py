"""Exports damaged at random: bytes and lines dropped, doubled, cut off and put into another encoding.

    python -m tests.ontology.corpus.damage [--files 5000] [--seed N] [PATH ..]

The files are samples of every format, and slices of the files at the paths. Each is damaged and read. An error is a
failure, and so is a record that is gone without a word: where a text that a record alone had is still in the file, and
in no field but a title, that record must be there, or be explained by a problem (which may be that of the record and of
the one that the damage joined to it) or by columns that are said to be left out. Files that have problems from the
start are read for errors only. Prints the seed, the number of files by reader, and what failed, with the damaged bytes
in ``--keep FOLDER``.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ontology.corpus.reading import RecordFile
from ontology.model import Document, Problem

_SLICE = 20_000
_BEGINNING = 16


@dataclass(frozen=True)
class Base:
    """A file before it is damaged: what it is called, its bytes, their encoding, and what is read of it."""

    name: str
    data: bytes
    encoding: str
    documents: tuple[Document, ...]
    problems: int
    layout: str
    marks: tuple[tuple[str, ...], ...]
    """For each document, texts that the file has once."""


@dataclass(frozen=True)
class Failure:
    """A damaged file that was read wrongly."""

    base: str
    damage: str
    data: bytes
    reason: str


def parsed(data: bytes, folder: Path) -> tuple[list[Document], list[Problem], str]:
    """Return documents, problems and what is said of the columns of bytes as a file."""
    path = folder / "damaged"
    path.write_bytes(data)
    file = RecordFile(path)
    found = list(file)
    return [d for d in found if isinstance(d, Document)], [p for p in found if isinstance(p, Problem)], file.layout


def base(name: str, data: bytes, encoding: str, folder: Path) -> Base:
    """Read a file before it is damaged."""
    documents, problems, layout = parsed(data, folder)
    text = data.decode(encoding, "replace")
    marks = tuple(tuple(part for part in _parts(d) if text.count(part) == 1) for d in documents)
    return Base(name, data, encoding, tuple(documents), len(problems), layout, marks)


def slices(paths: Sequence[Path], folder: Path) -> Iterator[Base]:
    """Yield the beginning of each file, up to a line end; files that are no text whole."""
    for path in sorted(file for one in paths for file in (one.rglob("*") if one.is_dir() else [one])):
        if not path.is_file():
            continue
        data = path.read_bytes()
        if b"\0" not in data[:_SLICE] and len(data) > _SLICE:
            data = data[: data.rindex(b"\n", 0, _SLICE) + 1]
        yield base(path.name, data, "utf-8", folder)


def damaged(data: bytes, draw: random.Random) -> tuple[str, bytes]:
    """Return the name of a damage and the damaged bytes."""
    kind = draw.choice(
        ["drop bytes", "double bytes", "drop lines", "double lines", "cut", "cut head", "encode", "swap"]
    )
    if "lines" in kind or kind == "swap":
        lines = data.splitlines(keepends=True)
        start = draw.randrange(len(lines))
        end = min(start + draw.choice([1, 1, 1, 2, 5]), len(lines))
        if kind == "drop lines":
            del lines[start:end]
        elif kind == "double lines":
            lines[start:end] = lines[start:end] * 2
        else:
            other = draw.randrange(len(lines))
            lines[start], lines[other] = lines[other], lines[start]
        return f"{kind} {start + 1}-{end}", b"".join(lines)
    start = draw.randrange(len(data))
    end = min(start + draw.choice([1, 1, 2, 5, 20, 200]), len(data))
    if kind == "cut":
        return f"cut at {start}", data[:start]
    if kind == "cut head":
        return f"cut before {start}", data[start:]
    part = data[start:end]
    other = {"drop bytes": b"", "double bytes": part * 2}.get(kind)
    if other is None:
        text = part.decode("utf-8", "replace")
        other = text.encode(draw.choice(["gb18030", "utf-16-le", "latin-1"]), "replace")
    return f"{kind} {start}-{end}", data[:start] + other + data[end:]


def _parts(document: Document) -> Iterator[str]:
    """Yield beginnings of the texts of a record."""
    texts = (document.title, document.abstract, document.title_en, *document.keywords, *document.keywords_en)
    return (text[:_BEGINNING] for text in texts if len(text) > 1)


def check(one: Base, damage: str, data: bytes, folder: Path) -> Failure | None:
    """Return the failure of a damaged file, if it is one."""
    try:
        documents, problems, layout = parsed(data, folder)
    except Exception as error:
        return Failure(one.name, damage, data, f"{type(error).__name__}: {error}")
    lost = len(one.documents) - len(documents)
    if lost <= 0 or one.problems or (not documents and any(p.line == 0 for p in problems)):
        return None
    text = data.decode(one.encoding, "replace") + data.decode("gb18030", "replace")
    used = "\n".join(str(replace(document, title="")) for document in documents)
    still = sum(any(mark in text and mark not in used for mark in marks) for marks in one.marks)
    unexplained = still - len(documents) - 2 * (len(problems) + (layout != one.layout))
    if unexplained <= 0:
        return None
    reasons = "; ".join(p.reason for p in problems[:3]) or "none"
    return Failure(one.name, damage, data, f"{unexplained} of {lost} lost records without a problem; {reasons}")


def run(bases: Sequence[Base], count: int, seed: int, folder: Path) -> Iterator[tuple[Base, Failure | None]]:
    """Damage files and read them, one reader after the other.

    Args:
        bases: the files.
        count: number of damaged files.
        seed: of the random numbers.
        folder: for the files.
    """
    draw = random.Random(seed)
    for number in range(count):
        one = bases[number % len(bases)]
        damage, data = damaged(one.data, draw)
        if draw.random() < 0.3 and data:
            more, data = damaged(data, draw)
            damage += f", {more}"
        yield one, check(one, damage, data, folder)


def main() -> int:
    """Run and print."""
    from tests.ontology.corpus.test_corpus_account import bases

    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("paths", nargs="*", type=Path)
    arguments.add_argument("--files", type=int, default=5_000)
    arguments.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    arguments.add_argument("--keep", type=Path)
    chosen = arguments.parse_args()
    started = time.perf_counter()
    failures: list[Failure] = []
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        files = [*bases(Path(name)), *slices(chosen.paths, Path(name))]
        for one, failure in run(files, chosen.files, chosen.seed, Path(name)):
            counts[one.name] += 1
            if failure is not None:
                failures.append(failure)
    print(f"seed {chosen.seed}: {chosen.files} files of {len(files)} in {time.perf_counter() - started:.0f} s")
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    for number, failure in enumerate(failures):
        print(f"{number} {failure.base}: {failure.damage}: {failure.reason}"[:300])
        if chosen.keep:
            chosen.keep.mkdir(parents=True, exist_ok=True)
            (chosen.keep / str(number)).write_bytes(failure.data)
    print(f"{len(failures)} failures")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
