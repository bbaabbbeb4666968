"""Read labelled pages, train a classifier on four fifths of them, and evaluate it on the last fifth.

A training set is a folder with a subfolder per class (.html, .htm, .txt), or a table with a line per text (.tsv, .csv,
.jsonl; also compressed, .xz or .gz) with columns for the class (label, class, 类别) and the text (title, text, content,
keywords, 标题, 正文, 关键词). Several sets are joined.
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
from crawler.pages.page_classifier import PageClassifier, placed_words
from crawler.pages.parse import parse
from crawler.scoring.bayes import ClassifierError, NaiveBayes, PlacedWord, count, from_json
from ontocrawl.errors import Option, UsageError
from ontology import files

Segments = tuple[tuple[str, str], ...]
LABELS = ("label", "class", "类别", "分类")
TEXTS = {
    "title": "title", "标题": "title", "keywords": "meta_keywords", "关键词": "meta_keywords",
    "text": "p", "content": "p", "abstract": "p", "正文": "p", "内容": "p", "摘要": "p",
}  # fmt: skip
"""Column of a table -> position of its text in a page."""
_PAGES = {".html": "text/html", ".htm": "text/html", ".txt": "text/plain"}
TEST_SHARE = 5
"""One of this many texts is held out for evaluation."""


@dataclass(frozen=True)
class LabelledPages:
    """Labelled pages, and the numbers of texts that were left out."""

    pages: Mapping[str, tuple[Segments, ...]]
    """Class -> its pages as (position, text) segments."""
    skipped: Mapping[str, int]
    """Reason -> number of texts left out."""


@dataclass(frozen=True)
class Judged:
    """A classifier with its results on the held-out texts."""

    name: str
    model: NaiveBayes
    confusion: Counts
    """Number of texts by true class (row) and predicted class (column), int64, shape (m, m)."""

    @property
    def accuracy(self) -> float:
        """Share of correctly classified texts, in [0, 1]."""
        return float(np.trace(self.confusion) / self.confusion.sum())

    @property
    def macro_f(self) -> float:
        """Mean F1 (harmonic mean of precision and recall) of the classes, in [0, 1]; 0 for a class never predicted."""
        hits = np.diag(self.confusion)
        both = self.confusion.sum(axis=0) + self.confusion.sum(axis=1)
        return float(np.mean(2.0 * hits / np.maximum(both, 1)))


# ---- reading ----------------------------------------------------------------------------------------------------


def read(paths: Sequence[Path], only: Sequence[str] = (), per_class: int = 0, seed: int = 0) -> LabelledPages:
    """Read the labelled pages of several training sets.

    Args:
        paths: folders or tables.
        only: classes to read; empty for all.
        per_class: number of texts to sample from each class; 0 for all.
        seed: random seed of the sample.

    Returns:
        The pages of each class in random order, classes sorted by name.

    Raises:
        UsageError: a path does not exist, has another form or no labelled text; a class of ``only`` does not exist; or
            a class has no text.
    """
    pages: dict[str, list[Segments]] = {}
    all_labels: set[str] = set()
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
        all_labels |= labels
    missing = [name for name in only if name not in all_labels]
    if missing:
        raise UsageError(f"no source has the class {missing[0]!r}; there are {', '.join(sorted(all_labels))}")
    empty = [name for name, texts in pages.items() if not texts]
    if empty:
        raise UsageError(f"the class {empty[0]!r} has no text: give it one at least, or leave it out by --only")
    rng = np.random.default_rng(seed)
    return LabelledPages({name: _drawn(pages[name], per_class, rng) for name in sorted(pages)}, skipped)


def _drawn(texts: Sequence[Segments], n: int, rng: np.random.Generator) -> tuple[Segments, ...]:
    """Sample ``n`` texts in random order; 0 means all."""
    order = rng.permutation(len(texts))[: n or None]
    return tuple(texts[i] for i in order.tolist())


LabelledText = tuple[str, Segments, str]
"""Class, segments, and the reason why the text is left out (empty if it is not)."""


def texts_of(folder: Path) -> tuple[list[str], dict[str, int]]:
    """Read title and main text of the pages in a folder, recursively; also reason -> number of files left out."""
    texts, skipped = [], dict[str, int]()
    for page in _files(folder):
        if isinstance(page, ParsedPage):
            texts.append(f"{page.title} | {page.text}")
        else:
            skipped[page] = skipped.get(page, 0) + 1
    return texts, skipped


def _folder(path: Path) -> Iterator[LabelledText]:
    classes = sorted(entry for entry in path.iterdir() if entry.is_dir())
    if not classes:
        raise UsageError(f"{path} has no folders: expected one for each class, with .html or .txt files in it")
    for folder in classes:
        yield folder.name, (), ""
        for page in _files(folder):
            yield (folder.name, page.segments, "") if isinstance(page, ParsedPage) else (folder.name, (), page)


def _files(folder: Path) -> Iterator[ParsedPage | str]:
    """Parse each file; yield the page, or the reason why the file is left out."""
    for file in sorted(entry for entry in folder.rglob("*") if entry.is_file()):
        kind = _PAGES.get(file.suffix.lower())
        if kind is None:
            yield f"not one of {', '.join(_PAGES)}"
            continue
        page = parse(Response("http://training.example/", 200, {"content-type": kind}, file.read_bytes()))
        yield page if isinstance(page, ParsedPage) else page.reason


def _table(path: Path) -> Iterator[LabelledText]:
    for number, row in enumerate(rows(path), start=1):
        label = next((key for key in LABELS if key in row), None)
        columns = [key for key in TEXTS if key in row]
        if number == 1 and (label is None or not columns) and not _is_json(path):
            raise UsageError(
                f"{path}: its columns are {', '.join(map(str, row))}; expected one of {', '.join(LABELS)} for the "
                f"class, and of {', '.join(TEXTS)} for the text"
            )
        if label is None or not row[label]:
            yield "", (), "no class"
            continue
        segments = tuple((TEXTS[key], text) for key in columns if (text := _joined(row[key])))
        yield str(row[label]).strip(), segments, "" if segments else "no text"


def rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a table (.tsv, .csv, .jsonl; also .xz or .gz), column -> value.

    Raises:
        UsageError: the file cannot be read, or a line is no JSON object.
    """
    text = _unpacked(path)
    if _is_json(path):
        return _json_lines(path, text)
    delimiter = "\t" if ".tsv" in path.suffixes else ","
    return iter(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


def _is_json(path: Path) -> bool:
    return path.name.removesuffix(".xz").removesuffix(".gz").endswith((".jsonl", ".json"))


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
    """The words of the texts of each class, split into four fifths for training and one for testing."""

    train: Mapping[str, Sequence[Sequence[PlacedWord]]]
    test: Mapping[str, Sequence[Sequence[PlacedWord]]]


def split(pages: Mapping[str, Sequence[Segments]]) -> Split:
    """Hold out every fifth text of each class. Raises UsageError for a class with fewer than five texts."""
    train, test = {}, {}
    for name, texts in pages.items():
        if len(texts) < TEST_SHARE:
            raise UsageError(f"the class {name!r} has {len(texts)} texts: a held-out fifth needs {TEST_SHARE} or more")
        words = [placed_words(segments) for segments in texts]
        test[name] = words[::TEST_SHARE]
        train[name] = [page for number, page in enumerate(words) if number % TEST_SHARE]
    return Split(train, test)


def judge(parts: Split, models: Mapping[str, Mapping[str, Any]]) -> list[Judged]:
    """Train classifiers, and evaluate them on the held-out texts.

    Args:
        parts: the training and test sets.
        models: name of each classifier -> arguments of `NaiveBayes`.

    Returns:
        The classifiers with their results, in order.

    Raises:
        ClassifierError: a class has no word, or a reading is unknown.
    """
    training = count({name: [[word for word, _ in page] for page in pages] for name, pages in parts.train.items()})
    judged = []
    for name, readings in models.items():
        model = NaiveBayes(training, **readings)
        confusion: Counts = np.zeros((len(model.classes), len(model.classes)), dtype=np.int64)
        for row, true in enumerate(model.classes):
            for page in parts.test[true]:
                confusion[row, int(model.scores(page).argmax())] += 1
        judged.append(Judged(name, model, confusion))
    return judged


# ---- trained classifiers as files, and the classifier named by a strategy's parameters


PARAMETER, CLASS = "classifier", "S"
"""Names of the parameters of a strategy with a classifier (crawler.strategies.block_parameters)."""


def write(path: Path, model: NaiveBayes) -> None:
    """Save a classifier as JSON, atomically.

    Args:
        path: the file; an existing one is replaced.
        model: the trained classifier.

    Raises:
        OSError: the file cannot be written.
    """
    text = json.dumps(model.as_json(), ensure_ascii=False, separators=(",", ":"))
    files.write_atomically(path, (text + "\n").encode())


def _read_classifier(path: Path) -> NaiveBayes:
    """Read a saved classifier. Raises UsageError for a missing or damaged file."""
    try:
        return from_json(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read ({error.strerror}): give a file that `ontocrawl crawl train` wrote"
        ) from error
    except ClassifierError as error:
        raise UsageError(f"{path}: {error}") from error
    except ValueError as error:  # neither UTF-8 nor JSON
        raise UsageError(
            f"{path} is damaged, or no classifier ({error}): train it again by `ontocrawl crawl train`"
        ) from error


def digest(path: Path) -> str:
    """Return the digest of a classifier file, by which a resumed run checks that it has not changed."""
    try:
        return files.digest(path)
    except OSError as error:
        raise UsageError(
            f"parameter {PARAMETER}: {path} cannot be read ({error.strerror}): restore it, or start a new run"
        ) from error


def of_parameters(parameters: Any, known_digest: str | None = None) -> PageClassifier | None:
    """Read the classifier named by a strategy's parameters.

    Args:
        parameters: the parameters of the strategy.
        known_digest: digest of the file when the run began; None for a new run.

    Returns:
        The classifier; None where the parameters name none, or the strategy has no such parameter.

    Raises:
        UsageError: the file is missing, damaged or has changed, or the classifier has no class S.
    """
    file, S = getattr(parameters, PARAMETER, ""), getattr(parameters, CLASS, "")
    if not file:
        if S:
            file_of = Option(f"--param {PARAMETER}=FILE", f'parameters={{"{PARAMETER}": FILE}}')
            raise UsageError(
                f"the parameter {CLASS}={S} needs a classifier: ", file_of, ", which `ontocrawl crawl train` writes"
            )
        return None
    path = Path(file)
    if known_digest is not None and digest(path) != known_digest:
        raise UsageError(f"{path} is not the classifier that the run began with: restore it, or start a new run")
    model = _read_classifier(path)
    if S not in model.classes:
        raise UsageError(f"parameter {CLASS}={S}: the classifier {path} has the classes {', '.join(model.classes)}")
    return PageClassifier(model)
