"""Counts of concepts from a file, for information content: how often a corpus has each of them.

Two forms, told apart by the content: lines ``name <tab> count``, empty lines and lines that begin with # aside; or one
JSON object ``{"name": count}``. A name is an IRI, a label or an other name of a concept. Names that the ontology lacks,
as a corpus has many, are kept apart with the reason.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ontology.model import Ontology, Problem
from ontology.similarity.information_content import CountError
from ontology.similarity.naming import Names


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts by IRI, and what of the file names no concept, or more than one."""

    by_iri: Mapping[str, float]
    skipped: tuple[Problem, ...]


def read_counts(path: str | Path, ontology: Ontology, *, cumulative: bool = False) -> Counts:
    """Counts of an ontology's concepts. Several names of one concept add up; if ``cumulative``, the largest counts.

    CountError with file and line for what is no count, and where the file names none of the concepts.
    """
    path = Path(path)
    found: dict[str, float] = {}
    skipped = []
    names = Names.of(ontology)
    for line, name, count in _entries(path):
        concepts = names.find(name)
        if len(concepts) != 1:
            skipped.append(Problem(str(path), line, f"{name!r} names {len(concepts) or 'no'} concepts"))
            continue
        iri = concepts[0].iri
        found[iri] = max(found.get(iri, 0.0), count) if cumulative else found.get(iri, 0.0) + count
    if not found:
        raise CountError(f"{path}: {len(skipped)} names, none of a concept of {ontology.iri}; expected labels or IRIs")
    return Counts(found, tuple(skipped))


def _entries(path: Path) -> Iterator[tuple[int, str, float]]:
    """(line, name, count); line 0 in a JSON object."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise CountError(
            f"{path}: expected UTF-8, found byte {error.object[error.start]:#x} at {error.start}"
        ) from error
    if text.lstrip().startswith("{"):
        try:
            values = json.loads(text)
        except json.JSONDecodeError as error:
            raise CountError(f"{path}, line {error.lineno}: broken JSON: {error.msg}") from error
        for name, count in values.items():
            yield 0, name, _count(count, f"{path}: {name}")
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            name, tab, count = line.rpartition("\t")
            if not tab:
                raise CountError(f"{path}, line {number}: expected a name, a tab and a count, found {line!r:.80}")
            yield number, name.strip(), _count(count, f"{path}, line {number}")


def _count(value: object, where: str) -> float:
    try:
        count = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except ValueError:
        count = math.nan
    if not 0 <= count < math.inf:
        raise CountError(f"{where}: expected a non-negative number, found {value!r:.80}")
    return count
