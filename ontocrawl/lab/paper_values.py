"""What a lab measured of the crawlers of a printed table: values by strategy, counted as the table counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ontocrawl.lab.definition import Lab
from ontocrawl.lab.measuring import AT_DP, AT_PRINTED_DP
from ontocrawl.lab.orders import PairVerdict, verdicts
from ontocrawl.lab.printed import LOWER_IS_BETTER
from ontocrawl.lab.results import Measured, recounted
from ontocrawl.lab.running import Outcome

MEASURED: Mapping[str, tuple[str | None, str | None]] = {
    "accuracy": ("accuracy", "precision"),
    "lp": ("relevant_by_judge", "relevant_by_label"),
    "ar": ("ar", None),
    "sd": ("sd", None),
    "ar_lp": ("ar_lp", None),
    "sd_lp": ("sd_lp", None),
    "rc": (None, "recall"),
    "hours": ("seconds", None),
}
"""Measure of printed.toml -> measures of results.csv, by the judge and by the labels; None where there is none."""
ORDERED = ("accuracy", "ar", "sd", "rc")
"""Measures whose order is compared; LP has that of the accuracy, and times are those of another network."""


EQUAL = {AT_DP: "DP", AT_PRINTED_DP: "printed DP", "": "requests"}
"""Ending of a measure -> what is equal. Printed DP is counted as each paper does (trap T22)."""


@dataclass(frozen=True)
class Evidence:
    """How crawlers are compared.

    Attributes:
        relevant: whether pages count by the judge (0) or by the labels (1), an index of the pairs of `MEASURED`.
        ending: ending of a measure in results.csv.
    """

    relevant: int
    ending: str

    @property
    def name(self) -> str:
        """Its name in tables."""
        return f"{('judge', 'labels')[self.relevant]}, equal {EQUAL[self.ending]}"

    def measure(self, metric: str) -> str | None:
        """Return the measure of results.csv for a printed one; None where there is none."""
        name = MEASURED[metric][self.relevant]
        return None if name is None else name + self.ending


AS_PRINTED = Evidence(0, AT_DP)
COUNTED = Evidence(0, AT_PRINTED_DP)
EVIDENCES = (AS_PRINTED, Evidence(1, AT_DP), Evidence(0, ""), Evidence(1, ""), COUNTED)


@dataclass(frozen=True, eq=False)
class Found:
    """The crawls of one world.

    Attributes:
        lab: the lab.
        world: name of the world.
        outcomes: the outcomes of the world's cells.
        cells: their measures, with pages counted by the world's own threshold.
        threshold: threshold of a printed table; None for the world's own.
        strict: whether R must be greater than it.
    """

    lab: Lab
    world: str
    outcomes: Sequence[Outcome]
    cells: Sequence[Measured]
    threshold: float | None = None
    strict: bool = True

    @cached_property
    def counted(self) -> Sequence[Measured]:
        """The measures with pages counted by `threshold`."""
        if self.threshold is None:
            return self.cells
        return recounted(self.lab, self.outcomes, self.cells, self.threshold, self.strict)

    def values(self, measure: str, at: int) -> dict[str, list[float]]:
        """Return strategy -> value of each seed; only of strategies with a value for all seeds.

        Of several systems with one strategy, as with the axis ``guide``, the first counts.

        Args:
            measure: a measure of results.csv.
            at: a milestone of the world.
        """
        found: dict[str, dict[int, float]] = {}
        for one in self.counted:
            value = one.values.get((measure, at))
            if value is not None and one.cell.guide:
                found.setdefault(one.cell.strategy, {}).setdefault(one.cell.seed, value)
        seeds = range(self.lab.seeds)
        return {name: [of[seed] for seed in seeds] for name, of in found.items() if len(of) == len(seeds)}

    def of(self, metric: str, evidence: Evidence, at: int) -> dict[str, list[float]]:
        """Return strategy -> values of a printed measure."""
        measure = evidence.measure(metric)
        return {} if measure is None else self.values(measure, at)

    def pages(self, at: int) -> dict[str, float]:
        """Return strategy -> mean number of pages with which it is compared at a DP; fewer where it ended early."""
        return means(self.values("dp" + AT_DP, at))

    def orders(self, printed: Mapping[str, float], metric: str, evidence: Evidence, at: int) -> list[PairVerdict]:
        """Judge the printed order of each two crawlers; none for fewer than two seeds.

        Args:
            printed: strategy -> printed value.
            metric: the printed measure.
            evidence: how they are compared.
            at: a milestone of the world.
        """
        sign = -1.0 if metric in LOWER_IS_BETTER else 1.0
        if self.lab.seeds < 2:
            return []
        measured = {name: sign * np.array(x) for name, x in self.of(metric, evidence, at).items() if name in printed}
        return verdicts({name: sign * value for name, value in printed.items()}, measured)

    def compared_at(self, printed: Sequence[int]) -> list[tuple[int, int]]:
        """Return pairs of a printed DP and the milestone at which crawls are compared with it.

        Printed numbers that the world does not reach are left out, unless it reaches none: then the first one stands
        beside the end of the crawls.
        """
        milestones = self.lab.milestones_of(self.world)
        reached = [(dp, dp) for dp in printed if dp in milestones]
        return reached or [(printed[0], milestones[-1])]


def means(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the mean of each strategy's values."""
    return {name: float(np.mean(x)) for name, x in values.items()}
