"""Trained classifiers as files, and the one that a crawl's parameters name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from crawler.pages.page_classifier import PageClassifier
from crawler.scoring.bayes import ClassifierError, NaiveBayes, from_json
from ontocrawl.errors import UsageError
from ontology import files

PARAMETER, CLASS = "classifier", "S"
"""Names of the parameters of a strategy with a classifier (crawler.strategies.block_parameters)."""


def write(path: Path, model: NaiveBayes) -> None:
    """Save a classifier as JSON, whole or not at all. OSError as the system gives it."""
    text = json.dumps(model.as_json(), ensure_ascii=False, separators=(",", ":"))
    files.write_atomically(path, (text + "\n").encode())


def read(path: Path) -> NaiveBayes:
    """A saved classifier. Raises UsageError where there is none, or one that is damaged; it says what to do."""
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
    """What tells one classifier from another: a resumed run must go on with the one that it began with."""
    try:
        return files.digest(path)
    except OSError as error:
        raise UsageError(
            f"parameter {PARAMETER}: {path} cannot be read ({error.strerror}): restore it, or start a new run"
        ) from error


def of_parameters(parameters: Any, known_digest: str | None = None) -> PageClassifier | None:
    """The classifier that a strategy's parameters name, None where they name none or know of none.

    Args:
        parameters: those of the strategy.
        known_digest: of the file when the run began; None where it begins now.

    Raises:
        UsageError: the file is missing, damaged or another one, or it has no class S.
    """
    given, S = getattr(parameters, PARAMETER, ""), getattr(parameters, CLASS, "")
    if not given:
        if S:
            raise UsageError(
                f"--param {CLASS}={S} needs --param {PARAMETER}=FILE, which `ontocrawl crawl train` writes"
            )
        return None
    path = Path(given)
    if known_digest is not None and digest(path) != known_digest:
        raise UsageError(f"{path} is not the classifier that the run began with: restore it, or start a new run")
    model = read(path)
    if S not in model.classes:
        raise UsageError(f"--param {CLASS}={S}: the classifier {path} has the classes {', '.join(model.classes)}")
    return PageClassifier(model)
