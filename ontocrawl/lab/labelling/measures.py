"""The measures of a run and of its judge by the labels of people, and how far these agree with each other.

Recall is not among them: a crawl does not say how many relevant pages it did not fetch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crawler.journal.judged_pages import JudgedPage, judged_pages, title_and_text
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError, nearest
from ontocrawl.lab.labelling import sample
from ontocrawl.lab.labelling.sample import QUARTERS, Judgement, LabelError, Sample, name_of, strata_of
from ontocrawl.runs import runs
from ontology.compare.agreement import kappa_interval, kappa_of_counts
from ontology.files import write_atomically
from ontology.printable import json_text
from ontology.shares import stratified

# ---- estimates for all pages of a run from labels of a stratified sample: shares, kappa and AUC of the judge
#
# A labelled page has the weight of its stratum. A share is computed within each decision of the judge, and combined by
# the sizes of the two, which are known; so labels of a part of the sample suffice. Intervals of shares are those of
# `ontology.shares.stratified`, those of kappa and AUC by bootstrap within each decision (percentiles; B. Efron and
# R. Tibshirani 1993, An Introduction to the Bootstrap, chapter 8).


Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate for the pages of a run.

    Attributes:
        value: the estimate; None where the labels do not suffice.
        low: lower bound of its 95 % interval.
        high: upper bound.
        labelled: number of labelled pages that it rests on.
    """

    value: float | None
    low: float | None
    high: float | None
    labelled: int

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values, rounded to four digits."""
        values = {"value": self.value, "low": self.low, "high": self.high}
        return {k: None if v is None else round(v, 4) for k, v in values.items()} | {"labelled": self.labelled}


@dataclass(frozen=True, eq=False)
class _Labelled:
    """The pages of a run with the labels of one person.

    Attributes:
        R: relevance of each page of the run by the judge, in the order of fetching, shape (N,).
        accepted: the judge's decision about each of them, shape (N,).
        at: positions of the labelled pages among them, shape (n,).
        relevant: their labels, shape (n,).
        weight: their weights in the sample, shape (n,).
    """

    R: Floats
    accepted: Flags
    at: NDArray[np.int64]
    relevant: Flags
    weight: Floats

    def share(self, among: Flags | None = None) -> Estimate:
        """Estimate the share of relevant pages.

        Args:
            among: the pages of the run to which the share refers, shape (N,); None for all.
        """
        within = np.ones(len(self.R), dtype=bool) if among is None else among
        chosen = within[self.at]
        strata = []
        for decision in (True, False):
            here = chosen & (self.accepted[self.at] == decision)
            n, weight = int(here.sum()), self.weight[here]
            p = float(weight @ self.relevant[here] / weight.sum()) if n else 0.0
            strata.append((p * n, n, int((within & (self.accepted == decision)).sum())))
        value, low, high = stratified(strata) or (None, None, None)
        return Estimate(value, low, high, int(chosen.sum()))

    def first(self, fetched: int) -> Estimate:
        """Estimate the share of relevant pages among the first that were fetched."""
        return self.share(np.arange(len(self.R)) < fetched)

    def best(self, k: int) -> Estimate:
        """Estimate the precision at k of the judge: the share of relevant pages among the k of the largest R.

        Of equal R, pages that were fetched earlier come first.
        """
        top = np.zeros(len(self.R), dtype=bool)
        top[np.argsort(-self.R, kind="stable")[:k]] = True
        return self.share(top)

    def kappa(self, seed: int = 0) -> Estimate:
        """Estimate Cohen's kappa of the judge and the person over all pages of the run."""
        accepted = self.accepted[self.at]
        return self._bootstrapped(lambda weight: _kappa(accepted, self.relevant, weight), seed)

    def auc(self, seed: int = 0) -> Estimate:
        """Estimate the AUC of the judge's R over all pages of the run."""
        return self._bootstrapped(lambda weight: estimated_auc(self.R[self.at], self.relevant, weight), seed)

    def _bootstrapped(self, statistic: Callable[[Floats], float | None], seed: int) -> Estimate:
        """Estimate a function of the weights of the labelled pages."""
        n, weight = len(self.at), self._weights()
        value = None if weight is None else statistic(weight)
        if weight is None or value is None:
            return Estimate(None, None, None, n)
        rng, groups = np.random.default_rng(seed), [np.flatnonzero(g) for g in self._decisions() if g.any()]
        found = []
        for _ in range(_RESAMPLES):
            times = np.zeros(n)
            for group in groups:
                times[group] = rng.multinomial(len(group), np.full(len(group), 1 / len(group)))
            found.append(statistic(weight * times))
        low, high = np.quantile([one for one in found if one is not None] or [value], (0.025, 0.975))
        return Estimate(value, float(low), float(high), n)

    def _decisions(self) -> tuple[Flags, Flags]:
        accepted = self.accepted[self.at]
        return accepted, ~accepted

    def _weights(self) -> Floats | None:
        """Return weights by which the labelled pages stand for all; None where a decision has no labelled page."""
        weight = self.weight.astype(np.float64)
        for here, size in zip(self._decisions(), (self.accepted.sum(), (~self.accepted).sum()), strict=True):
            if size and not here.any():
                return None
            weight[here] *= size / max(float(weight[here].sum()), 1e-300)
        return weight


def estimated_auc(R: ArrayLike, relevant: ArrayLike, weight: ArrayLike | None = None) -> float | None:
    """Compute the area under the ROC curve: the chance that a relevant page has a larger R; ties count half.

    Args:
        R: relevance of each page by a judge, shape (n,).
        relevant: labels, shape (n,).
        weight: number of pages that each stands for, shape (n,); None for 1.

    Returns:
        The area, in [0, 1]; None where no page or every page is relevant.

    >>> estimated_auc([0.9, 0.5, 0.5, 0.1], [True, True, False, False])
    0.875
    >>> estimated_auc([0.9, 0.5, 0.1], [True, False, True], [1, 1, 3])
    0.25
    """
    values, label = np.asarray(R, dtype=np.float64), np.asarray(relevant, dtype=bool)
    w = np.ones(len(values)) if weight is None else np.asarray(weight, dtype=np.float64)
    levels, level = np.unique(values, return_inverse=True)
    yes = np.bincount(level[label], w[label], len(levels))
    no = np.bincount(level[~label], w[~label], len(levels))
    pairs = float(yes.sum() * no.sum())
    return float(yes @ (np.cumsum(no) - no / 2)) / pairs if pairs else None


def _kappa(accepted: Flags, relevant: Flags, weight: Floats) -> float | None:
    return kappa_of_counts(
        {(a, b): float(weight[(accepted == a) & (relevant == b)].sum()) for a in (True, False) for b in (True, False)}
    )


# ---- the measures of a run and of its judge by the labels of people, and how far these agree with each other


RANKS = (10, 20, 50, 100)
AGREED = "agreed"
"""Name of the exported set of pages that somebody labelled relevant and nobody not relevant."""


@dataclass(frozen=True)
class Person:
    """The measures by the labels of one person.

    Attributes:
        by: name of the person.
        counts: label -> number of pages.
        precision: share of relevant pages among all of the run that the sample was drawn from.
        progress: number of first fetched pages -> the share among them.
        accepted: share of relevant pages among those that the judge accepted, its precision.
        rejected: share among those that it rejected.
        kappa: Cohen's kappa of the judge and the person, for all pages of the run.
        auc: AUC of the judge's R by the labels.
        precision_at: k -> share of relevant pages among the k of the largest R.
    """

    by: str
    counts: Mapping[str, int]
    precision: Estimate
    progress: Mapping[int, Estimate]
    accepted: Estimate
    rejected: Estimate
    kappa: Estimate
    auc: Estimate
    precision_at: Mapping[int, Estimate]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "by": self.by, "labelled": sum(self.counts.values()),
            **{label: self.counts.get(label, 0) for label in sample.VERDICTS},
            "precision": self.precision.as_json(),
            "progress": {str(k): one.as_json() for k, one in self.progress.items()},
            "judge": {
                "relevant_accepted": self.accepted.as_json(), "relevant_rejected": self.rejected.as_json(),
                "kappa": self.kappa.as_json(), "auc": self.auc.as_json(),
                "precision_at": {str(k): one.as_json() for k, one in self.precision_at.items()},
            },
        }  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """The agreement of two persons about the pages of the sample that both labelled relevant or not relevant.

    Attributes:
        between: their names.
        judged: number of these pages.
        agreed: number of those with the same label.
        kappa: Cohen's kappa; None where neither varies.
        interval: its 95 % interval; None where there is no kappa.
    """

    between: tuple[str, str]
    judged: int
    agreed: int
    kappa: float | None
    interval: tuple[float, float] | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        low, high = self.interval or (None, None)
        values = {"kappa": self.kappa, "low": low, "high": high}
        rounded = {k: None if v is None else round(v, 4) for k, v in values.items()}
        return {"between": list(self.between), "judged": self.judged, "agreed": self.agreed, **rounded}


@dataclass(frozen=True)
class Disagreement:
    """A page that is relevant for one person and not for another.

    Attributes:
        url: its URL.
        title: its title.
        labels: name of each person -> label.
        notes: name of each person -> note, where there is one.
    """

    url: str
    title: str
    labels: Mapping[str, str]
    notes: Mapping[str, str]


@dataclass(frozen=True)
class LabelReport:
    """What labels say about a run.

    Attributes:
        run: name of the run.
        sample: the sample.
        sizes: name of each stratum -> number of its pages in the run.
        later: number of pages that the run fetched after the sample was drawn; no measure is about them.
        people: the measures by each person's labels.
        pairs: the agreement of each two persons.
        disagreements: the pages on which they disagree.
    """

    run: str
    sample: Sample
    sizes: Mapping[str, int]
    later: int
    people: Sequence[Person]
    pairs: Sequence[Pair]
    disagreements: Sequence[Disagreement]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        drawn = Counter(page.stratum for page in self.sample.pages)
        return {
            "run": self.run, "pages": self.sample.population, "later_pages": self.later,
            "sample": {
                "pages": len(self.sample.pages), "seed": self.sample.seed,
                "strata": [{"stratum": s, "pages": n, "drawn": drawn[s]} for s, n in self.sizes.items()],
            },
            "people": [person.as_json() for person in self.people],
            "agreement": [pair.as_json() for pair in self.pairs],
            "disagreements": [
                {"url": one.url, "title": one.title, "labels": dict(one.labels), "notes": dict(one.notes)}
                for one in self.disagreements
            ],
            "recall": None,
        }  # fmt: skip


def report(space: Workspace, run: str, by: str = "") -> LabelReport:
    """Compute the measures of a run by the labels that people gave to its sample.

    Args:
        space: the workspace of the run.
        run: name of the run.
        by: the person whose labels are used; all by default.

    Raises:
        UsageError: there is no such run, or it has no labels, or none of this person.
        LabelError: damaged files of labels, or a sample that is not of this run.
    """
    drawn, labels = _labels(space, run, by)
    with runs.open_journal(space, run) as journal, journal.at_one_moment():
        pages = list(judged_pages(journal))
        at = {page.url: page.seq for page in drawn.pages}
        apart = [
            Disagreement(
                url, title_and_text(journal, at[url])[0],
                {who: own[url].label for who, own in labels.items() if url in own},
                {who: own[url].note for who, own in labels.items() if url in own and own[url].note},
            )
            for url in _disputed(drawn, labels)
        ]  # fmt: skip
    population, sizes = _population(drawn, pages, space.existing_run(run))
    return LabelReport(
        run, drawn, sizes, len(pages) - len(population),
        [_person(name, own, population) for name, own in labels.items()],
        [_pair(a, b, labels) for a, b in combinations(labels, 2)], apart,
    )  # fmt: skip


def export(space: Workspace, run: str, out: Path, by: str = "") -> dict[str, int]:
    """Write the pages that people labelled relevant, as a file of which ``FILE#NAME`` is a set of labels.

    Args:
        space: the workspace of the run.
        run: name of the run.
        out: the file, which is replaced.
        by: the person whose labels are written; all by default.

    Returns:
        Name of each set -> number of its pages. With several persons, the set `AGREED` has the pages that somebody
        labelled relevant and nobody not relevant.

    Raises:
        UsageError, LabelError: as for `report`.
        OSError: the file cannot be written.
    """
    _, labels = _labels(space, run, by)
    with runs.open_journal(space, run) as journal:
        final = {page.url: page.final_url for page in judged_pages(journal)}
    sets = {name: [u for u, one in own.items() if one.label == "yes"] for name, own in labels.items()}
    if len(sets) > 1 and AGREED not in sets:
        against = {u for own in labels.values() for u, one in own.items() if one.label == "no"}
        sets[AGREED] = list(dict.fromkeys(u for own in list(sets.values()) for u in own if u not in against))
    document = {name: sorted(final[url] for url in urls) for name, urls in sets.items()}
    write_atomically(out, (json_text(document, indent=1) + "\n").encode())
    return {name: len(urls) for name, urls in document.items()}


def _labels(space: Workspace, run: str, by: str) -> tuple[Sample, dict[str, dict[str, Judgement]]]:
    """Return the sample of a run and the labels that count, by person."""
    folder = space.existing_run(run)
    drawn = sample.read(folder)
    found = {} if drawn is None else sample.standing(sample.read_labels(folder, {p.url: p.digest for p in drawn.pages}))
    if drawn is None or not found:
        raise UsageError("lab.no_page_run_labelled", run=run)
    if by and by not in found:
        raise UsageError("lab.labelled_no_page_run", by=by, run=run, nearest=nearest(by, found))
    return drawn, {by: found[by]} if by else found


def _population(drawn: Sample, pages: Sequence[JudgedPage], folder: Path) -> tuple[list[JudgedPage], dict[str, int]]:
    """Return the pages that a sample was drawn from, and the sizes of its strata. LabelError if it does not fit."""
    population = list(pages[: drawn.population])
    sizes = Counter(map(name_of, strata_of(population)))
    counts = Counter(page.stratum for page in drawn.pages)
    fits = {page.url: page.seq for page in population}
    if len(population) < drawn.population or any(
        fits.get(page.url) != page.seq or not np.isclose(page.weight * counts[page.stratum], sizes[page.stratum])
        for page in drawn.pages
    ):
        raise LabelError("lab.not_drawn_pages_journal", folder=folder / sample.FILE)
    return population, dict(sorted(sizes.items()))


def _person(name: str, labels: Mapping[str, Judgement], population: Sequence[JudgedPage]) -> Person:
    position = {page.url: at for at, page in enumerate(population)}
    decided = [one for one in labels.values() if one.label in ("yes", "no")]
    accepted, n = np.array([page.accepted for page in population], dtype=bool), len(population)
    labelled = _Labelled(
        np.array([page.R for page in population]), accepted,
        np.array([position[one.url] for one in decided], dtype=np.int64),
        np.array([one.label == "yes" for one in decided], dtype=bool),
        np.array([one.weight for one in decided], dtype=np.float64),
    )  # fmt: skip
    ends = dict.fromkeys(n * quarter // QUARTERS for quarter in range(1, QUARTERS + 1))
    return Person(
        name, Counter(one.label for one in labels.values()), labelled.share(),
        {k: labelled.first(k) for k in ends if k}, labelled.share(accepted), labelled.share(~accepted),
        labelled.kappa(), labelled.auc(), {k: labelled.best(k) for k in RANKS if k <= n},
    )  # fmt: skip


def _pair(a: str, b: str, labels: Mapping[str, Mapping[str, Judgement]]) -> Pair:
    both = [
        (labels[a][url].label, labels[b][url].label) for url in labels[a]
        if url in labels[b] and "unsure" not in (labels[a][url].label, labels[b][url].label)
    ]  # fmt: skip
    agreed = sum(first == second for first, second in both)
    return Pair((a, b), len(both), agreed, kappa_of_counts(Counter(both)), kappa_interval(both))


def _disputed(drawn: Sample, labels: Mapping[str, Mapping[str, Judgement]]) -> list[str]:
    """Return the pages that are relevant for one person and not for another, in the order of the sample."""
    return [
        page.url for page in drawn.pages
        if {"yes", "no"} <= {own[page.url].label for own in labels.values() if page.url in own}
    ]  # fmt: skip
