"""Training sets of labelled pages, a classifier trained on four fifths of one, and how it does on the last fifth.

A training set is a folder with a folder for each class (.html, .htm, .txt), or a table with a line for each text (.tsv,
.csv, .jsonl; also packed, .xz or .gz) whose columns name the class (label, class, 类别) and the text (title, text,
content, keywords, 标题, 正文, 关键词). Several sets are joined.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from crawler.model import Counts, ParsedPage, Response
from crawler.pages.page_classifier import placed_words
from crawler.pages.parse import parse
from crawler.scoring.bayes import NaiveBayes, PlacedWord, count
from ontocrawl.errors import UsageError

Segments = tuple[tuple[str, str], ...]
LABELS = ("label", "class", "类别", "分类")
TEXTS = {
    "title": "title", "标题": "title", "keywords": "meta_keywords", "关键词": "meta_keywords",
    "text": "p", "content": "p", "abstract": "p", "正文": "p", "内容": "p", "摘要": "p",
}  # fmt: skip
"""Column of a table -> the slot of a page that its text stands for."""
_PAGES = {".html": "text/html", ".htm": "text/html", ".txt": "text/plain"}
TEST_SHARE = 5
"""Every so many texts one is held out."""


@dataclass(frozen=True)
class LabelledPages:
    """Class -> its pages as (slot, text) segments; what was left out, by reason."""

    pages: Mapping[str, tuple[Segments, ...]]
    skipped: Mapping[str, int]


@dataclass(frozen=True)
class Judged:
    """A classifier on the held-out texts."""

    name: str
    model: NaiveBayes
    confusion: Counts
    """Texts by true class (row) and found class (column), shape (m, m)."""

    @property
    def accuracy(self) -> float:
        """Share of the texts whose class was found, in [0, 1]."""
        return float(np.trace(self.confusion) / self.confusion.sum())

    @property
    def macro_f(self) -> float:
        """Mean over the classes of F1, the harmonic mean of precision and recall, in [0, 1]; 0 for a class unfound."""
        hits = np.diag(self.confusion)
        both = self.confusion.sum(axis=0) + self.confusion.sum(axis=1)
        return float(np.mean(2.0 * hits / np.maximum(both, 1)))


# ---- reading ----------------------------------------------------------------------------------------------------


def read(paths: Sequence[Path], only: Sequence[str] = (), per_class: int = 0, seed: int = 0) -> LabelledPages:
    """The labelled pages of several sources.

    Args:
        only: the classes to take; all where it is empty.
        per_class: so many texts of each class, drawn by ``seed``; 0 for all.

    Raises:
        UsageError: a source that does not exist, has no such form or no labelled text, a class in ``only`` that no
            source has, or one without any text.
    """
    pages: dict[str, list[Segments]] = {}
    known: set[str] = set()
    skipped: dict[str, int] = {}
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path} does not exist: give a folder with a folder for each class, or a table")
        labels = set()
        for label, segments, problem in _folder(path) if path.is_dir() else _table(path):
            if problem:
                skipped[problem] = skipped.get(problem, 0) + 1
                continue
            labels.add(label)
            if not only or label in only:
                pages.setdefault(label, [])
                if segments:
                    pages[label].append(segments)
        if not labels:
            raise UsageError(
                f"{path} has no labelled text: expected a header and a line for each text, or a JSON object for each, "
                f"with a class ({', '.join(LABELS)}) and a text ({', '.join(TEXTS)})"
            )
        known |= labels
    missing = [name for name in only if name not in known]
    if missing:
        raise UsageError(f"no source has the class {missing[0]!r}; there are {', '.join(sorted(known))}")
    empty = [name for name, texts in pages.items() if not texts]
    if empty:
        raise UsageError(f"the class {empty[0]!r} has no text: give it one at least, or leave it out by --only")
    rng = np.random.default_rng(seed)
    return LabelledPages({name: _drawn(pages[name], per_class, rng) for name in sorted(pages)}, skipped)


def _drawn(texts: Sequence[Segments], n: int, rng: np.random.Generator) -> tuple[Segments, ...]:
    """``n`` of the texts in random order; all for 0."""
    order = rng.permutation(len(texts))[: n or None]
    return tuple(texts[at] for at in order.tolist())


Found = tuple[str, Segments, str]
"""Class, segments, and why a text was left out, where it was."""


def texts_of(folder: Path) -> tuple[list[str], dict[str, int]]:
    """Title and main text of the pages of a folder and of those in it; and what was left out, by reason."""
    texts, skipped = [], dict[str, int]()
    for found in _files(folder):
        if isinstance(found, ParsedPage):
            texts.append(f"{found.title} | {found.text}")
        else:
            skipped[found] = skipped.get(found, 0) + 1
    return texts, skipped


def _folder(path: Path) -> Iterator[Found]:
    classes = sorted(entry for entry in path.iterdir() if entry.is_dir())
    if not classes:
        raise UsageError(f"{path} has no folders: expected one for each class, with .html or .txt files in it")
    for folder in classes:
        yield folder.name, (), ""
        for found in _files(folder):
            yield (folder.name, found.segments, "") if isinstance(found, ParsedPage) else (folder.name, (), found)


def _files(folder: Path) -> Iterator[ParsedPage | str]:
    """The document of each file, or why it was left out."""
    for file in sorted(entry for entry in folder.rglob("*") if entry.is_file()):
        kind = _PAGES.get(file.suffix.lower())
        if kind is None:
            yield f"not one of {', '.join(_PAGES)}"
            continue
        found = parse(Response("http://training.example/", 200, {"content-type": kind}, file.read_bytes()))
        yield found if isinstance(found, ParsedPage) else found.reason


def _table(path: Path) -> Iterator[Found]:
    text = _unpacked(path)
    name = path.name.removesuffix(".xz").removesuffix(".gz")
    if name.endswith((".jsonl", ".json")):
        rows: Iterator[Mapping[str, Any]] = _json_lines(path, text)
    else:
        delimiter = "\t" if name.endswith(".tsv") else ","
        rows = iter(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    for number, row in enumerate(rows, start=1):
        label = next((key for key in LABELS if key in row), None)
        columns = [key for key in TEXTS if key in row]
        if number == 1 and (label is None or not columns) and not name.endswith((".jsonl", ".json")):
            raise UsageError(
                f"{path}: its columns are {', '.join(map(str, row))}; expected one of {', '.join(LABELS)} for the "
                f"class, and of {', '.join(TEXTS)} for the text"
            )
        if label is None or not row[label]:
            yield "", (), "no class"
            continue
        segments = tuple((TEXTS[key], text) for key in columns if (text := _joined(row[key])))
        yield str(row[label]).strip(), segments, "" if segments else "no text"


def _json_lines(path: Path, text: str) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise UsageError(f"{path}, line {number} is not JSON: {error}") from error
        if not isinstance(row, dict):
            raise UsageError(f"{path}, line {number}: expected a JSON object with a class and a text")
        yield row


def _unpacked(path: Path) -> str:
    try:
        data = path.read_bytes()
        data = (
            lzma.decompress(data) if path.suffix == ".xz" else gzip.decompress(data) if path.suffix == ".gz" else data
        )
        return data.decode("utf-8-sig")
    except (OSError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as UTF-8 text: {error}") from error


def _joined(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "").strip()


# ---- training ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Split:
    """The words of the texts of each class: four fifths to train on, the last to test."""

    train: Mapping[str, Sequence[Sequence[PlacedWord]]]
    test: Mapping[str, Sequence[Sequence[PlacedWord]]]


def split(pages: Mapping[str, Sequence[Segments]]) -> Split:
    """Every fifth text of each class is held out. Raises UsageError for a class of fewer than five."""
    train, test = {}, {}
    for name, texts in pages.items():
        if len(texts) < TEST_SHARE:
            raise UsageError(f"the class {name!r} has {len(texts)} texts: a held-out fifth needs {TEST_SHARE} or more")
        words = [placed_words(segments) for segments in texts]
        test[name] = words[::TEST_SHARE]
        train[name] = [page for at, page in enumerate(words) if at % TEST_SHARE]
    return Split(train, test)


def judge(parts: Split, models: Mapping[str, Mapping[str, Any]]) -> list[Judged]:
    """Each named classifier, given by its readings, trained on the one part and judged on the other.

    Raises:
        ClassifierError: a class has no word, or a reading is unknown.
    """
    training = count({name: [[word for word, _ in page] for page in pages] for name, pages in parts.train.items()})
    found = []
    for name, readings in models.items():
        model = NaiveBayes(training, **readings)
        confusion: Counts = np.zeros((len(model.classes), len(model.classes)), dtype=np.int64)
        for row, true in enumerate(model.classes):
            for page in parts.test[true]:
                confusion[row, int(model.scores(page).argmax())] += 1
        found.append(Judged(name, model, confusion))
    return found
