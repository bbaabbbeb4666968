"""Selection of the next link by simulated annealing: Algorithm 1, SA(Qw), and its improvement ISA.

Source: Liu, Li, Ding, Liu 2022 (paper 000), section 5.1. The steps of Algorithm 1:
    1 T = 1, M = 10, C = .9.   2 current = the header-link of Qw.   3 q = 1.
    4 next = a link of Qw by the roulette, in proportion to Priority.
    5 if random[0, 1] < exp((Priority(next) - Priority(current)) / T), current = next.
    6 if q > M go to 7, else q = q + 1 and go to 4.   7 T = C T.   8 if T <= .01 output current, else go to 3.
ISA replaces the start value of step 1 by one that depends on com-rate = DP / limit.

Step 7 is one of the schedules of crawler.kernels.cooling. A proposal of step 4 depends neither on current nor on T,
and Qw does not change within a call. So all proposals of a call are drawn at once, which is faster and has the same
distribution. If an adaptive schedule ends early, the remaining ones are not used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from crawler.frontier import FrontierView
from crawler.kernels.cooling import CoolingParameters, adapted, temperatures
from crawler.model import Floats, Ids
from crawler.parameters import Choice, Range, parameter
from crawler.strategies.one_by_one import untaken

_SCHEDULES = ("described", "printed", "persistent", "fixed")
_INNER_LOOPS = ("described", "printed")
ANNEALING_READINGS = MappingProxyType(
    {
        "T5": "ISA starts at T (1 - com-rate), as in the text (schedule=printed or persistent: as in the box).",
        "T7": "Exactly M proposals per temperature, as in the text (inner_loop=printed: M + 1, as in step 6).",
        "T8": "The start temperature hardly matters above .02; printed ISA is nearly best-first for 100 pages.",
        "T11": "Seeds have priority 1; the header is the link of the highest priority; zero weights draw uniformly. "
        "All priorities are recomputed every 25 pages (setting refresh_every); as printed, after each page.",
    }
)


@dataclass(frozen=True)
class AnnealingParameters(CoolingParameters):
    """T, C and M of Table 3, T_min of step 8, the cooling of step 7, and the readings of traps T5 and T7."""

    M: int = parameter(10, "Proposals per temperature.", Range(1, 10_000))
    schedule: str = parameter(
        "described",
        "Start temperature: T (1 - com-rate) for ``described``, T com-rate for ``printed``, the same with T of the "
        "previous call for ``persistent``, and T for ``fixed``, which is plain SA. com-rate is the number of "
        "fetched pages divided by --limit-pages.",
        Choice(*_SCHEDULES),
    )
    inner_loop: str = parameter(
        "described", "Proposals per temperature: M for ``described``, M + 1 for ``printed``.", Choice(*_INNER_LOOPS)
    )


def start_temperature(p: AnnealingParameters, com_rate: float, carried: float) -> float:
    """Return T of step 1, which ISA changes (trap T5).

    The paper prints "if com-rate = 0, set T = 1; otherwise, set T = T x com-rate", which grows during a crawl, while
    according to the text it is reduced.

    Args:
        p: the parameters.
        com_rate: share of the page limit that was fetched, in [0, 1].
        carried: T of the previous call, which ``persistent`` uses as the T on the right.

    >>> start_temperature(AnnealingParameters(), 0.25, 1.0)
    0.75
    """
    if p.schedule == "fixed" or com_rate == 0.0:
        return p.T
    if p.schedule == "described":
        return p.T * (1.0 - com_rate)
    return (carried if p.schedule == "persistent" else p.T) * com_rate


def acceptance(next_: float, current: float, T: float) -> float:
    """Return exp((Priority(next) - Priority(current)) / T) of step 5, at most 1, and its limit for T = 0 or -inf.

    >>> acceptance(0.9, 0.5, 0.1), round(acceptance(0.4, 0.5, 0.1), 3), acceptance(0.4, 0.5, 0.0)
    (1.0, 0.368, 0.0)
    """
    if next_ == -math.inf:
        return 0.0
    if next_ >= current:
        return 1.0
    return math.exp((next_ - current) / T) if T > 0.0 else 0.0


@dataclass(frozen=True, slots=True)
class Annealed:
    """Result of SA(Qw) and statistics of the run."""

    link: int
    temperature: float
    """The start temperature of this call."""
    proposals: int
    accepted: int
    uphill: int
    """Accepted proposals of lower priority than the link they replaced: uphill in energy, -Priority."""


def anneal(
    view: FrontierView, rng: np.random.Generator, header: int, start: float, p: AnnealingParameters, taken: Ids,
    value: Callable[[Ids], Floats] | None = None,
) -> Annealed:  # fmt: skip
    """Run SA(Qw), steps 2 to 8.

    Args:
        view: the crawl as the strategy sees it.
        rng: the only source of random numbers.
        header: the best queued link that is not taken.
        start: T of step 1, from ``start_temperature``.
        p: the parameters.
        taken: links already chosen in this call, which are not accepted again, shape (k,).
        value: Priority of links for step 5, by default that of the queue; -inf is never accepted.
    """
    M = p.M + 1 if p.inner_loop == "printed" else p.M
    levels = temperatures(p, start)
    drawn = view.draw(rng, M * len(levels))  # step 4, all of them
    value_of = value or view.priority
    priority = untaken(value_of(drawn), drawn, taken)
    link, current = header, float(value_of(np.asarray([header]))[0])  # step 2
    proposals = list(zip(drawn.tolist(), priority.tolist(), rng.random(len(drawn)).tolist(), strict=True))
    T, proposed, accepted, uphill = start, 0, 0, 0
    for planned in levels:
        T = T if p.cooling == "adaptive" else planned
        visited = list[float]()
        for next_, Priority, u in proposals[proposed : proposed + M]:
            if u < acceptance(Priority, current, T):  # step 5
                accepted += 1
                uphill += Priority < current
                link, current = next_, Priority
            if current > -math.inf:
                visited.append(current)
        proposed += M  # step 6
        if p.cooling == "adaptive":
            T = adapted(T, float(np.std(visited)) if visited else 0.0, p.C)  # step 7
            if p.T_min >= T:  # step 8
                break
    return Annealed(link, start, proposed, accepted, uphill)
