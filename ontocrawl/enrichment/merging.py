"""Verdicts of several reviewers about the same proposals: what they agree on, and what not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ontocrawl.enrichment.exchange_reading import Judged, Sheet
from ontocrawl.topics.reviewed import Reviewed
from ontology.compare.agreement import kappa
from ontology.enrichment import Verdict
from ontology.similarity.naming import folded_name

LEAST = 10
"""Smallest number of proposals that two reviewers both judged for which kappa is computed."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two reviewers.

    Attributes:
        reviewers: their names.
        judged: number of proposals that both judged.
        agreed: number of these about which they say the same.
        kappa: Cohen's kappa of accept, reject, rename, move and merge, whatever the name; None if neither varies.
    """

    reviewers: tuple[str, str]
    judged: int
    agreed: int
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Merged:
    """What comes of the verdicts of several files.

    Attributes:
        agreed: one verdict for each proposal that is to be decided.
        known: number of proposals about which the files say what was decided before.
        disagreements: the verdicts about each proposal about which the files, or a file and what was decided before,
            differ.
        agreements: of each two files with enough proposals in common.
    """

    agreed: tuple[Judged, ...]
    known: int
    disagreements: tuple[tuple[Judged, ...], ...]
    agreements: tuple[Agreement, ...]


def merged(sheets: Sequence[Sheet], standing: Mapping[str, Reviewed], *, replace: bool = False) -> Merged:
    """Merge the verdicts of files.

    Args:
        sheets: the files.
        standing: id of a proposal -> the verdict about it that counts by now.
        replace: whether a verdict on which the files agree replaces another one of before.

    Returns:
        The verdicts to take, in the order of the files, and the disagreements.
    """
    about: dict[str, list[Judged]] = {}
    for sheet in sheets:
        for one in sheet.judged:
            about.setdefault(one.suggestion.id, []).append(one)
    agreed: list[Judged] = []
    disagreements: list[tuple[Judged, ...]] = []
    known = 0
    for id_, judged in about.items():
        before = standing.get(id_)
        if len({_key(one.verdict) for one in judged}) > 1:
            disagreements.append(tuple(judged))
        elif before is not None and _key(before.verdict) == _key(judged[0].verdict):
            known += 1
        elif before is not None and not replace:
            earlier = Judged(judged[0].suggestion, before.verdict, before.who, before.why, f"decided {before.when}", 0)
            disagreements.append((earlier, *judged))
        else:
            agreed.append(_joined(judged))
    return Merged(tuple(agreed), known, tuple(disagreements), tuple(_agreements(sheets)))


def reviewers(sheet: Sheet) -> str:
    """Return the names of the reviewers of a file."""
    return ", ".join(dict.fromkeys(one.who for one in sheet.judged)) or sheet.file


def in_order(judged: Sequence[Judged]) -> list[Judged]:
    """Sort verdicts so that a class that one of them makes comes before those that name it.

    Verdicts that name each other stay where they are; they are refused when they are taken.
    """
    makes = {
        folded_name(one.verdict.value if one.verdict.action == "rename" else one.suggestion.term): one for one in judged
        if one.verdict.action in ("accept", "rename", "move") and one.suggestion.kind != "relation"
    }  # fmt: skip
    ordered: dict[str, Judged] = {}

    def add(one: Judged, above: frozenset[str]) -> None:
        before = makes.get(folded_name(one.verdict.value)) if one.verdict.action in ("move", "merge") else None
        if before is not None and before.suggestion.id not in above | ordered.keys():
            add(before, above | {one.suggestion.id})
        ordered.setdefault(one.suggestion.id, one)

    for one in judged:
        add(one, frozenset({one.suggestion.id}))
    return list(ordered.values())


def _key(verdict: Verdict) -> tuple[str, str]:
    return verdict.action, folded_name(verdict.value)


def _joined(judged: Sequence[Judged]) -> Judged:
    """Return the verdict of all, with their names and reasons."""
    first = judged[0]
    who = ", ".join(dict.fromkeys(one.who for one in judged))
    why = "; ".join(dict.fromkeys(one.why for one in judged if one.why))
    return Judged(first.suggestion, first.verdict, who, why, first.file, first.line)


def _agreements(sheets: Sequence[Sheet]) -> list[Agreement]:
    found = []
    for first, second in combinations(sheets, 2):
        one, other = ({j.suggestion.id: j.verdict for j in sheet.judged} for sheet in (first, second))
        both = [(one[id_], other[id_]) for id_ in one if id_ in other]
        if len(both) >= LEAST:
            agreed = sum(_key(a) == _key(b) for a, b in both)
            names = (reviewers(first), reviewers(second))
            found.append(Agreement(names, len(both), agreed, kappa((a.action, b.action) for a, b in both)))
    return found
