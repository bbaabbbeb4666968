"""The record of labels: ``labels.jsonl`` in the folder of a run, a line for each thing that a person said of a page.

Lines are only added. The last line of a person about a page counts; one that is withdrawn does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from ontocrawl.versions import deciding
from ontology.errors import OntocrawlError
from ontology.files import append_lines
from ontology.printable import json_text

FILE = "labels.jsonl"
Verdict = Literal["yes", "no", "unsure"]
"""The page is relevant to the topic; it is not; the person cannot tell."""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
WITHDRAWN = "withdrawn"


class LabelError(OntocrawlError, ValueError):
    """Damaged files of labels; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person said of a page.

    Attributes:
        url: URL of the page.
        digest: digest of the title and text that the person saw.
        label: a `Verdict`, or `WITHDRAWN`.
        by: name of the person.
        at: date and time, ISO 8601.
        note: a note of the person; empty for none.
        stratum: name of the page's stratum in the sample.
        weight: number of pages of the run that it stands for.
    """

    url: str
    digest: str
    label: str
    by: str
    at: str
    note: str
    stratum: str
    weight: float


def read(folder: Path, digests: Mapping[str, str]) -> list[Judgement]:
    """Read the record of a run.

    Args:
        folder: the folder of the run.
        digests: URL of each sampled page -> digest of its title and text.

    Raises:
        LabelError: a damaged line, or one about a page that is not in the sample or had another text. A last line
            without its end is what a killed command left, and is left out.
    """
    path = folder / FILE
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    return [_judgement(line, f"{path}, line {at}", digests) for at, line in enumerate(lines, 1) if line.strip()]


def _judgement(line: bytes, where: str, digests: Mapping[str, str]) -> Judgement:
    try:
        one = Judgement(**json.loads(line))
    except (ValueError, TypeError) as error:
        raise LabelError(
            f"{where}: this is no label ({error}); bring the line back from a copy, or remove it"
        ) from error
    if one.label not in (*VERDICTS, WITHDRAWN):
        raise LabelError(f"{where}: {one.label!r} is no label: expected {', '.join(VERDICTS)} or {WITHDRAWN}")
    if not isinstance(one.by, str) or not one.by:
        raise LabelError(f"{where}: by is {one.by!r}: expected the name of the person who labelled the page")
    if digests.get(one.url) != one.digest:
        known = "had another text" if one.url in digests else "is not in the sample"
        raise LabelError(f"{where}: the page {one.url} {known}: labels hold for the sample that they were made with")
    return one


def standing(judgements: Iterable[Judgement]) -> dict[str, dict[str, Judgement]]:
    """Return the labels that count: name of each person -> URL -> the last one, in the order of the record."""
    by_person: dict[str, dict[str, Judgement]] = {}
    for one in judgements:
        labels = by_person.setdefault(one.by, {})
        labels.pop(one.url, None)
        if one.label != WITHDRAWN:
            labels[one.url] = one
    return {person: labels for person, labels in by_person.items() if labels}


def append(folder: Path, judgement: Judgement) -> None:
    """Add a label to the record of a run; it is on the disk when this returns.

    Raises:
        CommandError: another command holds the record for half a minute.
        OSError: the file cannot be written; it is as it was before.
    """
    path = folder / FILE
    with deciding.alone(path):
        append_lines(path, [json_text(asdict(judgement))])
