"""The sample of a run's pages that people label: stratified, random, and kept in a file beside the journal.

The strata are the judge's two decisions, each in quarters of the order of fetching. The pages are divided among the two
decisions by the square roots of their sizes (M. Bankier 1988, The American Statistician 42, power 1/2), so that a rare
decision is seen too, and within a decision in proportion. Each page stands for as many as its stratum has for each page
drawn, its weight; with weights, means over the sample are unbiased for the run.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeVar, get_args

import numpy as np

from crawler.journal import Journal
from crawler.journal.judged_pages import JudgedPage, judged_pages, title_and_text
from ontocrawl.base.workspace import alone
from ontocrawl.errors import UsageError
from ontology.errors import OntocrawlError
from ontology.files import append_lines, write_atomically
from ontology.printable import json_text

FILE = "labels.sample.json"
QUARTERS = 4
DEFAULT_PAGES, DEFAULT_SEED = 100, 0
Part = TypeVar("Part", bound=Hashable)
Stratum = tuple[bool, int]
"""The judge's decision, and the quarter of the order of fetching, from 0."""


@dataclass(frozen=True, slots=True)
class SampledPage:
    """A page of the sample.

    Attributes:
        seq: number of its event in the journal.
        url: its URL.
        digest: digest of its title and text.
        stratum: name of its stratum.
        weight: number of pages of the run that it stands for.
    """

    seq: int
    url: str
    digest: str
    stratum: str
    weight: float


@dataclass(frozen=True)
class Sample:
    """The sample of a run.

    Attributes:
        seed: seed by which it was drawn.
        asked: number of pages that were asked for.
        population: number of pages that it was drawn from, the first of the run that the judge decided about.
        pages: the pages in a random order, in which they are labelled.
    """

    seed: int
    asked: int
    population: int
    pages: tuple[SampledPage, ...]


def strata_of(pages: Sequence[JudgedPage]) -> list[Stratum]:
    """Return the stratum of each page of a population, in fetch order."""
    return [(page.accepted, QUARTERS * position // len(pages)) for position, page in enumerate(pages)]


def draw(journal: Journal, size: int, seed: int) -> Sample:
    """Draw a sample from the pages of a run.

    Args:
        journal: journal of the run.
        size: number of pages, at least 1; a run with fewer is taken whole.
        seed: seed of the draw, at least 0.

    Raises:
        UsageError: the judge decided about no page of the run.
    """
    pages = list(judged_pages(journal))
    if not pages:
        raise UsageError("lab.run_no_page_label", parent=journal.path.parent.name)
    members: defaultdict[Stratum, list[int]] = defaultdict(list)
    for position, stratum in enumerate(strata_of(pages)):
        members[stratum].append(position)
    rng = np.random.default_rng(seed)
    drawn: list[SampledPage] = []
    for stratum, n in _allocation({s: len(at) for s, at in sorted(members.items())}, size).items():
        for position in rng.choice(members[stratum], n, replace=False).tolist():
            page = pages[position]
            digest = digest_of(*title_and_text(journal, page.seq))
            drawn.append(SampledPage(page.seq, page.url, digest, name_of(stratum), len(members[stratum]) / n))
    order = rng.permutation(len(drawn)).tolist()
    return Sample(seed, size, len(pages), tuple(drawn[i] for i in order))


def _allocation(sizes: Mapping[Stratum, int], size: int) -> dict[Stratum, int]:
    """Divide a sample among strata, each of which gets a page where there are enough.

    Args:
        sizes: number of pages of each stratum, at least 1.
        size: number of pages to draw.

    Returns:
        The number of pages to draw from each stratum; all of them where the run has no more than ``size``.

    >>> _allocation({(False, 0): 400, (False, 1): 500, (True, 0): 90, (True, 1): 10}, 40)
    {(False, 0): 13, (False, 1): 17, (True, 0): 9, (True, 1): 1}
    """
    by_decision: defaultdict[bool, int] = defaultdict(int)
    for (accepted, _), n in sizes.items():
        by_decision[accepted] += n
    halves = _divided({d: math.sqrt(n) for d, n in by_decision.items()}, by_decision, size)
    return {
        stratum: n
        for accepted, half in halves.items()
        for of_half in [{s: n for s, n in sizes.items() if s[0] == accepted}]
        for stratum, n in _divided(of_half, of_half, half).items()
    }


def _divided(shares: Mapping[Part, float], most: Mapping[Part, int], size: int) -> dict[Part, int]:
    """Divide a number in proportion to shares, at least 1 and at most ``most`` for each part where that is possible."""
    given = dict.fromkeys(shares, 0)
    for _ in range(min(size, sum(most.values()))):
        open_ = [part for part in given if given[part] < most[part]]
        given[max(open_, key=lambda part: shares[part] / (given[part] + 0.5) if given[part] else math.inf)] += 1
    return given


def name_of(stratum: Stratum) -> str:
    """Return the name of a stratum.

    >>> name_of((True, 0))
    'accepted, quarter 1'
    """
    accepted, quarter = stratum
    return f"{'accepted' if accepted else 'rejected'}, quarter {quarter + 1}"


def digest_of(title: str, text: str) -> str:
    """Return the digest of a page as a person sees it (BLAKE2b, 16 bytes, hexadecimal)."""
    return blake2b(f"{title}\n{text}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


# ---- the file -------------------------------------------------------------------------------------------------------


def write(folder: Path, sample: Sample) -> None:
    """Write the sample into the folder of its run. Raises OSError."""
    write_atomically(folder / FILE, (json_text(asdict(sample), indent=1) + "\n").encode())


def read(folder: Path) -> Sample | None:
    """Read the sample of a run; None where none was drawn.

    Raises:
        LabelError: a damaged file.
    """
    path = folder / FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        pages = tuple(SampledPage(**page) for page in data.pop("pages"))
        return Sample(**data, pages=pages)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise LabelError("lab.no_sample_pages_bring", path=path, error=error) from error


def check_pages(sample: Sample, pages: int | None, seed: int | None, folder: Path) -> None:
    """Check that an existing sample is the one that is asked for.

    Raises:
        UsageError: another number of pages or seed.
    """
    if (pages, seed) not in {(p, s) for p in (None, sample.asked) for s in (None, sample.seed)}:
        raise UsageError(
            "lab.sample_run_drawn_already",
            run=folder.name,
            asked=sample.asked,
            seed=sample.seed,
            file=folder / FILE,
        )


# ---- the record of labels: ``labels.jsonl`` in the folder of a run, a line for each thing that a person said of a
# page
#
# Lines are only added. The last line of a person about a page counts; one that is withdrawn does not.


LABELS_FILE = "labels.jsonl"
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


def read_labels(folder: Path, digests: Mapping[str, str]) -> list[Judgement]:
    """Read the record of a run.

    Args:
        folder: the folder of the run.
        digests: URL of each sampled page -> digest of its title and text.

    Raises:
        LabelError: a damaged line, or one about a page that is not in the sample or had another text. A last line
            without its end is what a killed command left, and is left out.
    """
    path = folder / LABELS_FILE
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    return [_judgement(line, f"{path}, line {at}", digests) for at, line in enumerate(lines, 1) if line.strip()]


def _judgement(line: bytes, where: str, digests: Mapping[str, str]) -> Judgement:
    try:
        one = Judgement(**json.loads(line))
    except (ValueError, TypeError) as error:
        raise LabelError("lab.no_label_bring_line", where=where, error=error) from error
    if one.label not in (*VERDICTS, WITHDRAWN):
        raise LabelError(
            "lab.no_label_expected", where=where, one_label=one.label, verdicts=", ".join(VERDICTS), withdrawn=WITHDRAWN
        )
    if not isinstance(one.by, str) or not one.by:
        raise LabelError("lab.expected_name_person_who", where=where, by=one.by)
    if digests.get(one.url) != one.digest:
        known = "had another text" if one.url in digests else "is not in the sample"
        raise LabelError("lab.page_labels_hold_sample", where=where, one_url=one.url, known=known)
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
    path = folder / LABELS_FILE
    with alone(path):
        append_lines(path, [json_text(asdict(judgement))])
