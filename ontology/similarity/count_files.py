"""Counts of concepts from a file, for information content: how often a corpus has each of them.

Two formats, recognised by the content: lines ``name <tab> count``, where empty lines and lines that begin with # are
skipped; or one JSON object ``{"name": count}``. A name is an IRI, a label or a synonym of a concept. Names that the
ontology lacks, as a corpus has many, are listed with the reason.
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
    """Counts by IRI, and the entries of the file that name no concept, or more than one."""

    by_iri: Mapping[str, float]
    skipped: tuple[Problem, ...]


def read_counts(path: str | Path, ontology: Ontology, *, cumulative: bool = False) -> Counts:
    """Read counts of an ontology's concepts from a file.

    Args:
        path: a tab-separated or JSON file.
        ontology: the ontology whose concepts are counted.
        cumulative: whether a count includes the concepts below. Counts under several names of one concept are added;
            of cumulative ones the largest is taken.

    Returns:
        The counts, and the entries that were skipped.

    Raises:
        CountError: an invalid count (with file and line), or none of the names is that of a concept.
    """
    path = Path(path)
    by_iri: dict[str, float] = {}
    skipped = []
    names = Names.of(ontology)
    for line, name, count in _entries(path):
        concepts = names.find(name)
        if len(concepts) != 1:
            skipped.append(Problem(str(path), line, f"{name!r} names {len(concepts) or 'no'} concepts"))
            continue
        iri = concepts[0].iri
        by_iri[iri] = max(by_iri.get(iri, 0.0), count) if cumulative else by_iri.get(iri, 0.0) + count
    if not by_iri:
        raise CountError(f"{path}: {len(skipped)} names, none of a concept of {ontology.iri}; expected labels or IRIs")
    return Counts(by_iri, tuple(skipped))


def _entries(path: Path) -> Iterator[tuple[int, str, float]]:
    """Yield (line, name, count); line is 0 in a JSON object."""
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
