"""The classifiers of a lab (paper 003), each trained once on labelled texts, as by ``crawl train``."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from pydantic import Field, model_validator

from ontocrawl.base.config import Section
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import Option, UsageError, nearest
from ontocrawl.runs import training
from ontology import files

FOLDER = "classifiers"
"""Folder of the trained classifiers in the lab's workspace."""


class ClassifierSource(Section):
    """A table of labelled texts, as for ``crawl train --classes``, or of texts of one class."""

    file: str
    classes: dict[str, str] = Field(default_factory=dict)
    """Label in the file -> class; texts with other labels are left out."""
    class_: str = Field(default="", alias="class")
    """Class of all texts of a file that has no labels."""
    where: dict[str, str] = Field(default_factory=dict)
    """Column -> text that it must contain."""

    @model_validator(mode="after")
    def _classes(self) -> ClassifierSource:
        if bool(self.classes) == bool(self.class_):
            raise ValueError("a source of a classifier needs either `classes` or `class`")
        return self

    def titles(self) -> Iterator[tuple[str, str]]:
        """Yield the class and the title of each text."""
        for row in training.rows(Path(self.file)):
            label = next((str(row[key]) for key in training.LABELS if key in row), "")
            name = self.class_ or self.classes.get(label, "")
            if name and row.get("title") and all(text in str(row.get(key)) for key, text in self.where.items()):
                yield name, str(row["title"])


class LabClassifier(Section):
    """A table [classifiers.NAME]: a classifier of titles; a strategy names it as ``classifier=NAME``."""

    sources: tuple[ClassifierSource, ...] = Field(min_length=1)
    per_class: int = Field(default=0, ge=0)
    """Number of texts to sample from each class; 0 for all. One of five is held out for a test."""


@dataclass(frozen=True)
class Trained:
    """A trained classifier.

    Attributes:
        file: the file for the parameter ``classifier``.
        sizes: class -> texts for training, texts of the test, and how many of these are assigned to the class.
    """

    file: Path
    sizes: dict[str, tuple[int, int, int]]


def with_file(known: Mapping[str, LabClassifier], given: Mapping[str, str], space: Workspace) -> dict[str, str]:
    """Return parameters of a strategy with the file of a classifier in the place of its name.

    Args:
        known: the classifiers of the lab, by name.
        given: the parameters as written in the lab.
        space: the workspace of the lab; a classifier that it has is not trained again.

    Raises:
        UsageError: the lab has no such classifier, or the data set from which it is trained is absent.
    """
    name = named(known, given)
    return {**given, training.PARAMETER: str(trained(name, known[name], space).file)} if name else dict(given)


def named(known: Mapping[str, LabClassifier], given: Mapping[str, str]) -> str:
    """Return the name of the lab's classifier among the parameters of a strategy, empty for none or a file.

    Raises:
        UsageError: the lab has no such classifier.
    """
    name = given.get(training.PARAMETER, "")
    if not name or name.endswith(".json"):
        return ""
    if name not in known:
        raise UsageError(f"there is no classifier {name!r}{nearest(name, known)}: describe it in [classifiers.{name}]")
    return name


def trained(name: str, given: LabClassifier, space: Workspace) -> Trained:
    """Train a classifier, or return the one that the workspace has.

    Args:
        name: its name in the lab.
        given: its sources.
        space: the workspace of the lab.

    Raises:
        UsageError: a data set is absent or has no text of a class.
    """
    for source in given.sources:
        if not Path(source.file).exists():
            raise UsageError(f"the classifier {name!r} needs a data set that is not here, {source.file}: name it by ",
                             Option("--data DIR", "data=DIR"))  # fmt: skip
    key = "".join(files.digest(Path(source.file)) for source in given.sources) + given.model_dump_json()
    folder = space.root / FOLDER / f"{name}-{blake2b(key.encode(), digest_size=8).hexdigest()}"
    file, sizes = folder / "classifier.json", folder / "sizes.json"
    if not sizes.exists():
        folder.mkdir(parents=True, exist_ok=True)
        found = _train(given, folder / "texts.tsv", file)
        files.write_atomically(sizes, json.dumps(found, ensure_ascii=False).encode())
    stored = json.loads(sizes.read_text(encoding="utf-8"))
    return Trained(file, {key: (row[0], row[1], row[2]) for key, row in stored.items()})


def _train(given: LabClassifier, texts: Path, file: Path) -> dict[str, tuple[int, int, int]]:
    table = io.StringIO()
    writer = csv.writer(table, delimiter="\t", lineterminator="\n")
    writer.writerow(("label", "title"))
    for source in given.sources:
        writer.writerows(source.titles())
    files.write_atomically(texts, table.getvalue().encode())
    parts = training.split(training.read([texts], per_class=given.per_class).pages)
    [judged] = training.judge(parts, {"bcw": {"likelihood": "tf_idf", "position": "exponent"}})
    training.write(file, judged.model)
    return {
        name: (len(parts.train[name]), len(parts.test[name]), int(judged.confusion[row, row]))
        for row, name in enumerate(judged.model.classes)
    }
