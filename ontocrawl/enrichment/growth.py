"""How the branches of a topic's ontologies grow, from crawl to crawl and from month to month.

A bigger crawl has more pages of everything. What is compared is therefore the share of relevant pages that name a
class of the branch: that of the newest crawl with that of all earlier ones together (or of the newest month of
publication with that of all earlier ones, where there is one crawl only). A branch grows if the 95 % interval of the
difference (`ontology.shares.difference`) lies above 0.

Pages are annotated with the ontology of their crawl. A class that a later version added is on no page of an earlier
crawl, so that it is left out of the comparison; a branch of such classes alone is new, and does not grow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ontology.model import Ontology
from ontology.reachable import reachable
from ontology.shares import difference

_MONTH = len("2026-11")
DIGITS = 4


@dataclass(frozen=True, slots=True)
class PageClasses:
    """A relevant page of a crawl: its date of publication, and class IRI -> how often it names the class."""

    url: str
    published: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CrawlClasses:
    """A crawl with its relevant pages, and the IRIs of the classes under which terms are proposed from it."""

    name: str
    started: str
    pages: tuple[PageClasses, ...]
    proposed: tuple[str, ...] = ()
    classes: Set[str] | None = None
    """IRIs of the classes of its ontologies; None where they are not known, which counts as all."""


@dataclass(frozen=True, slots=True)
class Period:
    """A crawl or a month, for one branch.

    Attributes:
        period: name of the crawl, or the month as YYYY-MM.
        pages: relevant pages of the period.
        naming: those that name a class of the branch.
        share: naming / pages.
        mentions: how often they name its classes.
        proposals: terms proposed under its classes; 0 for a month.
    """

    period: str
    pages: int
    naming: int
    share: float
    mentions: int
    proposals: int


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch, with its growth.

    Attributes:
        branch: label of its top class.
        iri: IRI of it.
        classes: number of classes of the branch.
        by: what is compared: "crawl", "month", or "" where there is nothing to compare.
        before, now: shares in the earlier periods together, and in the newest one; None without pages.
        change: now - before.
        low, high: 95 % interval of the change.
        grows: whether the interval lies above 0.
        crawls, months: all periods, the oldest first.
        not_compared: number of its classes that some of the crawls had not, and that count in no period.
        new: the version that added all of its classes after a crawl, so that nothing can be compared; "" otherwise.
    """

    branch: str
    iri: str
    classes: int
    by: str
    before: float | None
    now: float | None
    change: float | None
    low: float | None
    high: float | None
    grows: bool
    crawls: tuple[Period, ...] = field(default=())
    months: tuple[Period, ...] = field(default=())
    not_compared: int = 0
    new: str = ""


def branches_of(ontologies: Sequence[Ontology]) -> dict[str, frozenset[str]]:
    """Return the top classes of a topic's ontologies, each with the IRIs of the classes of its branch.

    Top classes are what is directly below the root of the global ontology, and the roots of local ontologies that the
    global one does not have. A class may be in several branches.

    Args:
        ontologies: the ontologies, the global one first.
    """
    below: dict[str, set[str]] = {}
    for ontology in ontologies:
        for relation in ontology.relations:
            if relation.kind in ("subclass_of", "part_of"):
                below.setdefault(relation.target, set()).add(relation.source)
    if not ontologies:
        return {}
    whole, *local = ontologies
    roots = {ontology.root for ontology in ontologies}
    tops = [r.source for r in whole.relations if r.target == whole.root and r.kind in ("subclass_of", "part_of")]
    tops += [ontology.root for ontology in local if ontology.root not in whole.by_iri]
    return {
        top: frozenset(reachable(top, lambda iri: below.get(iri, ())) - (roots - {top})) for top in dict.fromkeys(tops)
    }


def growth_of(
    ontologies: Sequence[Ontology], crawls: Sequence[CrawlClasses], since: Mapping[str, str] = MappingProxyType({})
) -> list[Branch]:
    """Compare the branches of a topic's ontologies over its crawls.

    Args:
        ontologies: the ontologies, the global one first.
        crawls: the crawls, the oldest first.
        since: IRI of a class -> the version that added it.

    Returns:
        All branches: those that surely grew most first.
    """
    label = {c.iri: c.label for ontology in reversed(ontologies) for c in ontology.concepts}
    months = list(_by_month(crawls).items())
    found = []
    for top, classes in branches_of(ontologies).items():
        compared = classes.intersection(*(crawl.classes for crawl in crawls if crawl.classes is not None))
        of_crawls = [_period(c.name, c.pages, compared, c.proposed) for c in crawls]
        of_months = [_period(month, pages, compared) for month, pages in months]
        by, periods = ("crawl", of_crawls) if len(of_crawls) > 1 else ("month", of_months)
        one = _branch(label[top], top, len(classes), by, periods if compared else (), of_crawls, of_months)
        new = "" if compared else since.get(top, "")
        found.append(replace(one, not_compared=len(classes - compared), new=new))
    return sorted(found, key=lambda b: (-(b.low if b.low is not None else -2.0), -(b.now or 0.0), b.branch))


def _by_month(crawls: Iterable[CrawlClasses]) -> dict[str, list[PageClasses]]:
    """Return the pages that tell a date by month, the oldest first; of a page in several crawls the newest counts."""
    newest = {page.url: page for crawl in crawls for page in crawl.pages}
    months: dict[str, list[PageClasses]] = {}
    for page in sorted(newest.values(), key=lambda p: (p.published[:_MONTH], p.url)):
        if len(page.published) >= _MONTH:
            months.setdefault(page.published[:_MONTH], []).append(page)
    return months


def _period(name: str, pages: Sequence[PageClasses], classes: frozenset[str], proposed: Sequence[str] = ()) -> Period:
    mentions = [sum(count for iri, count in page.counts.items() if iri in classes) for page in pages]
    naming = sum(count > 0 for count in mentions)
    share = round(naming / len(pages), DIGITS) if pages else 0.0
    under = Counter(proposed)
    return Period(name, len(pages), naming, share, sum(mentions), sum(under[iri] for iri in classes))


def _branch(
    label: str, top: str, classes: int, by: str, periods: Sequence[Period], crawls: Sequence[Period],
    months: Sequence[Period],
) -> Branch:  # fmt: skip
    *earlier, newest = periods or [Period("", 0, 0, 0.0, 0, 0)]
    was, pages = sum(p.naming for p in earlier), sum(p.pages for p in earlier)
    now = newest.share if newest.pages else None
    if not pages or now is None:
        return Branch(label, top, classes, "", None, now, None, None, None, False, tuple(crawls), tuple(months))
    before = was / pages
    low, high = difference((newest.naming, newest.pages), (was, pages))
    change = newest.naming / newest.pages - before
    figures = (round(before, DIGITS), now, round(change, DIGITS), round(low, DIGITS), round(high, DIGITS))
    return Branch(label, top, classes, by, *figures, low > 0, tuple(crawls), tuple(months))
