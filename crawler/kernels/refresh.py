"""How often pages change that are seen only at visits, and which of them to visit next.

Sources: J. Cho and H. Garcia-Molina, Estimating frequency of change, ACM TOIT 3(3), 2003 [E], and Effective page
refresh policies for Web crawlers, ACM TODS 28(4), 2003 [P]. A page changes by a Poisson process of rate
lambda. A visit shows whether it changed since the visit before, and not how often.

A copy is fresh while its page has not changed. The policy of [P] that maximises the weighted mean freshness visits
page i at the interval I_i at which another visit gains the same for all pages, the multiplier mu of Lagrange:

    w_i dF(lambda_i, f_i) / df_i = w_i / lambda_i (1 - (1 + x) e^-x) = mu,    x = lambda_i I_i,  f_i = 1 / I_i

The left side grows with the time since the last visit. To visit the page with the largest one at each moment is
therefore that policy, whatever the number of visits [R]. A page with w_i < mu lambda_i changes too often to be visited.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from crawler.model import Bools, Floats, Ids

_STEPS = 60
"""Halvings of twenty powers of ten, down to the precision of a double."""
_HALF = 0.5
"""Of a visit without a change: it takes the bias of few visits out of the estimate [E]."""


def change_rates(
    page: Ids, interval: Floats, changed: Bools, pages: int, prior: Floats | None = None, weight: float = 1.0
) -> Floats:
    """Estimate the rate of change of pages from visits at irregular intervals, by maximum likelihood.

    The estimate of [E] is the root of the derivative of the log-likelihood, over the visits i with a change after t_i
    and the visits j without one after t_j:

        sum_i t_i / (e^(lambda t_i) - 1) = sum_j t_j

    It is infinite where all visits show a change. Half a visit of the mean interval without a change is added: at
    regular intervals the root then is the estimator of [E] without bias, -log((X + 0.5) / (n + 0.5)), of n visits of
    which X show no change. A ``prior``, such as the rate of the page's host, adds visits that show as many changes as
    it says [R], so that a page without visits has that rate.

    Args:
        page: page of each visit but the first one of a page, in [0, ``pages``), shape (n,).
        interval: time since the visit before, above 0, shape (n,).
        changed: whether the page had changed, shape (n,).
        pages: number of pages.
        prior: rates by which to begin, at least 0, shape (pages,); None for none.
        weight: number of visits for which the prior counts.

    Returns:
        Changes per unit of time, at least 0, shape (pages,).

    >>> visits = np.zeros(10, dtype=np.int64), np.ones(10), np.arange(10) < 6
    >>> change_rates(*visits, 1).round(4).tolist(), (-np.log([4.5 / 10.5])).round(4).tolist()
    ([0.8473], [0.8473])
    """
    visits = np.bincount(page, minlength=pages)
    total = np.bincount(page, interval, pages)
    everywhere = float(interval.mean()) if len(interval) else 1.0
    mean = np.where(visits > 0, total / np.maximum(visits, 1), everywhere)
    times, of = interval[changed], page[changed]
    unchanged = total - np.bincount(of, times, pages) + _HALF * mean * (visits > 0)
    added = np.zeros(pages)
    if prior is not None:
        added = -weight * np.expm1(-prior * mean)
        unchanged += (weight - added) * mean
    low, high = np.full(pages, -10.0), np.full(pages, 10.0)  # powers of ten of the rate, in changes per mean interval
    for _ in range(_STEPS):
        middle = (low + high) / 2.0
        rate = 10.0**middle / mean
        sums = np.bincount(of, _score(rate[of], times), pages) + added * _score(rate, mean)
        low, high = np.where(sums > unchanged, middle, low), np.where(sums > unchanged, high, middle)
    return np.where(np.bincount(of, minlength=pages) + added > 0.0, 10.0**low / mean, 0.0)


def _score(rate: Floats, time: Floats) -> Floats:
    """Return t / (e^(lambda t) - 1)."""
    return np.asarray(time / np.expm1(np.minimum(rate * time, 700.0)))


def page_rates(page: Ids, interval: Floats, changed: Bools, host: Ids, unknown: float) -> Floats:
    """Estimate the rates of pages, each with that of its host as its prior, and hosts with that of all pages [R].

    Args:
        page: page of each visit but the first one of a page, shape (n,).
        interval: time since the visit before, above 0, shape (n,).
        changed: whether the page had changed, shape (n,).
        host: host of each page, from 0, shape (pages,).
        unknown: rate of all pages before any second visit, above 0.

    Returns:
        Changes per unit of time, above 0, shape (pages,).

    >>> seen = np.array([0, 0, 1, 1]), np.ones(4), np.array([True, True, False, False])
    >>> page_rates(*seen, np.array([0, 0, 0, 1]), 0.1).round(2).tolist()
    [1.2, 0.14, 0.59, 0.59]
    """
    if not len(page):
        return np.full(len(host), unknown)
    of_all = change_rates(np.zeros_like(page), interval, changed, 1)
    of_all = np.maximum(of_all, _HALF / interval.sum())  # of pages that never changed
    hosts = int(host.max()) + 1
    of_hosts = change_rates(host[page], interval, changed, hosts, np.repeat(of_all, hosts))
    return change_rates(page, interval, changed, len(host), of_hosts[host])


def gain(rate: Floats, since: Floats, weight: Floats) -> Floats:
    """Return what another visit gains in freshness: w / lambda (1 - (1 + x) e^-x), x = lambda t.

    Args:
        rate: lambda of each page, above 0.
        since: t, time since its last visit, at least 0.
        weight: w, at least 0.
    """
    x = rate * since
    return weight / rate * (-np.expm1(-x) - x * np.exp(-x))


Policy = Callable[[Floats, Floats, Floats], Floats]
"""From rates, times since the last visits and weights, the value of visiting each page now; the largest is first."""
POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "optimal": gain,
        "uniform": lambda rate, since, weight: since,
        "proportional": lambda rate, since, weight: rate * since,
    }
)
"""The policies of [P]: by freshness; all pages equally often; in proportion to the rate of change."""
