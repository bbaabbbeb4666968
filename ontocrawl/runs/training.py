"""Read labelled pages, train a classifier on four fifths of them, and evaluate it on the last fifth.

A training set is a folder with a subfolder per class (.html, .htm, .txt), or a table with a line per text (.tsv, .csv,
.jsonl; also compressed, .xz or .gz) with columns for the class (label, class, 类别) and the text (title, text, content,
keywords, 标题, 正文, 关键词). Several sets are joined. So are pages of synthetic webs, by their kind, and the papers of
topics: of several topics, each a class, or of the local ontologies of one.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from crawler.model import Counts, ParsedPage, Response
from crawler.pages.page_classifier import PageClassifier, placed_words
from crawler.pages.parse import parse
from crawler.scoring.bayes import ClassifierError, NaiveBayes, PlacedWord, count, from_json
from crawler.worlds import SyntheticWorld, open_world
from ontocrawl.errors import Option, UsageError
from ontocrawl.topics.papers import Papers
from ontocrawl.topics.topics import Topic
from ontology import files
from ontology.model import Document, Ontology

Segments = tuple[tuple[str, str], ...]
LABELS = ("label", "class", "类别", "分类")
TEXTS = {
    "title": "title", "标题": "title", "keywords": "meta_keywords", "关键词": "meta_keywords",
    "text": "p", "content": "p", "abstract": "p", "正文": "p", "内容": "p", "摘要": "p",
}  # fmt: skip
"""Column of a table -> position of its text in a page."""
_PAGES = {".html": "text/html", ".htm": "text/html", ".txt": "text/plain"}
_TEST_SHARE = 5
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
    words: float = 0.0
    """Mean number of words of a held-out text; pages have hundreds, titles ten."""

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


def read(
    paths: Sequence[Path],
    only: Sequence[str] = (),
    per_class: int = 0,
    seed: int = 0,
    more: Mapping[str, Sequence[Segments]] = MappingProxyType({}),
) -> LabelledPages:
    """Read the labelled pages of several training sets.

    Args:
        paths: folders or tables.
        only: classes to read; empty for all.
        per_class: number of texts to sample from each class; 0 for all.
        seed: random seed of the sample.
        more: class -> further texts, of `of_web` and `of_topics`.

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
            raise UsageError("runs.does_not_exist_give", path=path)
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
                "runs.no_labelled_text_expected", path=path, labels=", ".join(LABELS), texts=", ".join(TEXTS)
            )
        all_labels |= labels
    for label, texts in more.items():
        all_labels.add(label)
        if not only or label in only:
            pages.setdefault(label, []).extend(texts)
    missing = [name for name in only if name not in all_labels]
    if missing:
        raise UsageError("runs.no_source_class", missing=missing[0], all_labels=", ".join(sorted(all_labels)))
    empty = [name for name, texts in pages.items() if not texts]
    if empty:
        raise UsageError("runs.class_no_text_give", empty=empty[0])
    return LabelledPages(sampled(pages, per_class, seed), skipped)


def sampled(
    pages: Mapping[str, Sequence[Segments]], per_class: int = 0, seed: int = 0
) -> dict[str, tuple[Segments, ...]]:
    """Return the pages of each class in random order, ``per_class`` of each if that is not 0; sorted by class."""
    rng = np.random.default_rng(seed)
    return {name: _drawn(pages[name], per_class, rng) for name in sorted(pages)}


def of_web(spec: str, classes: Mapping[str, str], per_class: int = 0, seed: int = 0) -> dict[str, list[Segments]]:
    """Fetch and parse pages of a synthetic web, as a crawl does; their class is their kind.

    Args:
        spec: the description of the web, whose seed should be another one than that of any web that is crawled.
        classes: kind of page -> class; empty for every kind as a class by its own name. Hubs and home pages have none.
        per_class: number of pages to sample from each kind; 0 for all.
        seed: random seed of the sample.

    Raises:
        UsageError: it is no synthetic web, or has no page of a kind.
        WorldError: the description is not valid.
    """
    world = open_world(spec)
    if not isinstance(world, SyntheticWorld):
        raise UsageError("runs.no_synthetic_web_whose", spec=spec)
    kinds = dict[str, list[int]]()
    for plan in world.plans():
        if plan.role in ("page", "hidden") and (not classes or plan.kind in classes):
            kinds.setdefault(plan.kind, []).append(plan.index)
    if missing := [kind for kind in classes if kind not in kinds]:
        raise UsageError("runs.no_pages_kind", spec=spec, missing=missing[0], kinds=", ".join(sorted(kinds)))
    rng, pages = np.random.default_rng(seed), dict[str, list[Segments]]()
    for kind in sorted(kinds):
        for index in rng.permutation(kinds[kind])[: per_class or None].tolist():
            answer = world.fetch(world.url(index))
            page = parse(answer) if isinstance(answer, Response) else answer
            if isinstance(page, ParsedPage):
                pages.setdefault(classes.get(kind, kind), []).append(page.segments)
    return pages


def of_topics(topics: Sequence[Topic]) -> dict[str, list[Segments]]:
    """Return the papers of topics as labelled texts: those of each topic are a class, by the name of the topic.

    A single topic has a class for each of its local ontologies, by the label of its root, with the papers that name its
    classes more often than those of any other local one.

    Raises:
        UsageError: a topic without papers, or a single one with fewer than two local ontologies.
    """
    for topic in topics:
        if not topic.levels or topic.levels[0].papers is None:
            raise UsageError("runs.topic_no_papers_build", topic=topic.name)
    if len(topics) > 1:
        return {topic.name: [_of_paper(one) for one in _papers_of(topic).documents] for topic in topics}
    topic, local = topics[0], topics[0].levels[1:]
    if len(local) < 2:
        raise UsageError("runs.topic_local_ontologies_classifier", topic=topic.name, n_local=len(local))
    names = {level.ontology.by_iri[level.ontology.root].label: _names_of(level.ontology) for level in local}
    papers, pages = _papers_of(topic), {name: list[Segments]() for name in names}
    for paper in papers.documents:
        found = {
            name: sum(n for term, n in papers.terms.get(paper.id, {}).items() if term in names[name]) for name in names
        }
        best, *others = sorted(found, key=lambda name: -found[name])
        if found[best] > found[others[0]]:
            pages[best].append(_of_paper(paper))
    return pages


def _papers_of(topic: Topic) -> Papers:
    papers = topic.levels[0].papers
    assert papers is not None  # noqa: S101 - checked by of_topics
    return papers


def _names_of(ontology: Ontology) -> frozenset[str]:
    return frozenset(form for concept in ontology.concepts for _, form in concept.forms())


def _of_paper(paper: Document) -> Segments:
    texts = (("title", paper.title), ("p", paper.abstract), ("title", paper.title_en), ("p", paper.abstract_en))
    return tuple((slot, text) for slot, text in texts if text)


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
        raise UsageError("runs.no_folders_expected_each", path=path)
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
                "runs.columns_expected_class_text",
                path=path,
                map=", ".join(map(str, row)),
                labels=", ".join(LABELS),
                texts=", ".join(TEXTS),
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
            raise UsageError("runs.line_not_json", path=path, number=number, error=error) from error
        if not isinstance(row, dict):
            raise UsageError("runs.line_expected_json_object", path=path, number=number)
        yield row


def _unpacked(path: Path) -> str:
    try:
        data = path.read_bytes()
        data = (
            lzma.decompress(data) if path.suffix == ".xz" else gzip.decompress(data) if path.suffix == ".gz" else data
        )
        return data.decode("utf-8-sig")
    except (OSError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise UsageError("files.not_utf8", path=path, error=error) from error


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
        if len(texts) < _TEST_SHARE:
            raise UsageError("runs.class_texts_held_out", name=name, n_texts=len(texts), test_share=_TEST_SHARE)
        words = [placed_words(segments) for segments in texts]
        test[name] = words[::_TEST_SHARE]
        train[name] = [page for number, page in enumerate(words) if number % _TEST_SHARE]
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
    judged, tested = [], [page for pages in parts.test.values() for page in pages]
    words = sum(map(len, tested)) / len(tested)
    for name, readings in models.items():
        model = NaiveBayes(training, **readings)
        confusion: Counts = np.zeros((len(model.classes), len(model.classes)), dtype=np.int64)
        for row, true in enumerate(model.classes):
            for page in parts.test[true]:
                confusion[row, int(model.scores(page).argmax())] += 1
        judged.append(Judged(name, model, confusion, words))
    return judged


# ---- trained classifiers as files, and the classifier named by a strategy's parameters


PARAMETER, CLASS = "classifier", "S"
"""Names of the parameters of a strategy with a classifier (crawler.strategies.block_parameters)."""


FEW_WORDS = 50.0
"""Mean number of words of the held-out texts below which they are no pages."""


@dataclass(frozen=True)
class Tested:
    """What the file of a classifier says of the texts on which it was trained and tested."""

    texts: int = 0
    """Number of held-out texts; 0 for the file of an earlier version, which does not say."""
    accuracy: float = 0.0
    recall: Mapping[str, float] = field(default_factory=dict)
    """Class -> share of its held-out texts that are assigned to it."""
    words: float = 0.0
    """Mean number of words of a held-out text."""
    webs: tuple[str, ...] = ()
    """Synthetic webs of which pages are among the texts."""

    def line(self, file: Path, S: str) -> str:
        """Return what is said of it in the table of a run."""
        if not self.texts:
            return f"{file.name}, S={S}, not measured: train it again"
        return (
            f"{file.name}, S={S}: {self.accuracy:.1%} of {self.texts} held-out texts of {self.words:.0f} words are "
            f"classified correctly, {self.recall[S]:.1%} of those of {S}"
        )


def write(path: Path, judged: Judged, webs: Sequence[str] = ()) -> None:
    """Save a classifier with its results as JSON, atomically.

    Args:
        path: the file; an existing one is replaced.
        judged: the trained classifier.
        webs: synthetic webs of which pages are among its texts.

    Raises:
        OSError: the file cannot be written.
    """
    tested = {"confusion": judged.confusion.tolist(), "words": judged.words, "webs": list(webs)}
    text = json.dumps(judged.model.as_json() | {"tested": tested}, ensure_ascii=False, separators=(",", ":"))
    files.write_atomically(path, (text + "\n").encode())


def tested(path: Path) -> Tested:
    """Read the results of a saved classifier, which `of_parameters` has read."""
    data = json.loads(path.read_text(encoding="utf-8"))
    if "tested" not in data:
        return Tested()
    confusion = np.array(data["tested"]["confusion"])
    texts, hits = confusion.sum(axis=1), np.diag(confusion)
    recall = dict(zip(data["classes"], (hits / texts).tolist(), strict=True))
    total = int(texts.sum())
    return Tested(total, float(hits.sum() / total), recall, data["tested"]["words"], tuple(data["tested"]["webs"]))


def told(path: Path, S: str, world: str) -> str:
    """Return what is said of a classifier in the table of a run.

    Args:
        path: the file, which `of_parameters` has read.
        S: the class of the topic.
        world: the web to crawl.

    Raises:
        UsageError: the classifier was trained on pages of this web.
    """
    found = tested(path)
    for spec in found.webs if world.startswith("synthetic:") else ():
        if _web_of(spec) == _web_of(world):
            raise UsageError("runs.trained_pages_crawled_take", path=path, spec=spec)
    return found.line(path, S)


def _web_of(spec: str) -> tuple[str, int]:
    """Return preset and seed of a synthetic web, of which its pages are made."""
    world = open_world(spec)
    assert isinstance(world, SyntheticWorld)  # noqa: S101 - by its description
    return world.preset.name, world.seed


def _read_classifier(path: Path) -> NaiveBayes:
    """Read a saved classifier. Raises UsageError for a missing or damaged file."""
    try:
        return from_json(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError("runs.cannot_read_give_file", path=path, strerror=error.strerror) from error
    except ClassifierError as error:
        raise UsageError("files.about", about=path, error=error) from error
    except ValueError as error:  # neither UTF-8 nor JSON
        raise UsageError("runs.damaged_no_classifier_train", path=path, error=error) from error


def digest(path: Path) -> str:
    """Return the digest of a classifier file, by which a resumed run checks that it has not changed."""
    try:
        return files.digest(path)
    except OSError as error:
        raise UsageError(
            "runs.parameter_cannot_read_restore", parameter=PARAMETER, path=path, strerror=error.strerror
        ) from error


def without(parameters: Any) -> str | None:
    """Return what is said of a run without a classifier: None for a strategy that has no such parameter."""
    return "none: a page with any topic word, R > 0, is of class S [R]" if hasattr(parameters, PARAMETER) else None


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
            raise UsageError("runs.parameter_needs_classifier_writes", class_=CLASS, s=S, file_of=file_of)
        return None
    path = Path(file)
    if known_digest is not None and digest(path) != known_digest:
        raise UsageError("runs.not_classifier_run_began", path=path)
    model = _read_classifier(path)
    if S not in model.classes:
        raise UsageError(
            "runs.parameter_classifier_classes", class_=CLASS, s=S, path=path, classes=", ".join(model.classes)
        )
    return PageClassifier(model)
