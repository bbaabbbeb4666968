"""Trained classifiers as files, and the classifier named by a strategy's parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from crawler.pages.page_classifier import PageClassifier
from crawler.scoring.bayes import ClassifierError, NaiveBayes, from_json
from ontocrawl.errors import Option, UsageError
from ontology import files

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


def read(path: Path) -> NaiveBayes:
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
    model = read(path)
    if S not in model.classes:
        raise UsageError(f"parameter {CLASS}={S}: the classifier {path} has the classes {', '.join(model.classes)}")
    return PageClassifier(model)
