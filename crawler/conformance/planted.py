"""A planted web: pages as numbers, for rehearsals of strategies (crawler.testing).

It has the properties that focused crawling relies on: few relevant pages, which link to each other more often than by
chance (topical locality), on hosts that are more or less relevant, with anchors that are informative but not always
right. It is generated from a seed, its labels first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np

from crawler.model import Bools, Floats, Ids

EVENT = date(2013, 11, 8)
"""Relevant pages are from the two months after this day, others from any time in ten years around it."""
VOCABULARIES = ("TK", "GTK", "LTK_1", "LTK_2", "LTK_3")


@dataclass(frozen=True)
class PlantedWeb:
    """``n`` pages with everything that a strategy can receive about them. Page numbers are not link ids."""

    relevant: Bools
    """The planted label, shape (n,)."""
    host: Ids
    """Shape (n,)."""
    out: tuple[Ids, ...]
    """Distinct out-links of each page, in page order."""
    R: Mapping[str, Floats]
    """Vocabulary -> R(P) of every page, shape (n,), in [0, 1]."""
    R_anchor: Mapping[str, Floats]
    """Vocabulary -> R of the anchors that point to each page, shape (n,), in [0, 1]."""
    seeds: Ids
    day: Floats
    """Day of publication of each page as an ordinal, NaN where it has none, shape (n,)."""
    in_class: Bools
    """Whether a classifier assigns each page to the topic, with one error in ten; shape (n,)."""

    @classmethod
    def plant(cls, seed: int, n: int = 600, hosts: int = 20, degree: int = 8) -> PlantedWeb:
        """Generate a web in which a sixth of the pages and three of five seed pages are relevant.

        Args:
            seed: seed of the random generator.
            n: number of pages.
            hosts: number of hosts.
            degree: out-links drawn for each page; equal ones count once.
        """
        rng = np.random.default_rng(seed)
        host = rng.integers(0, hosts, n)
        relevant = rng.random(n) < np.where(host < hosts // 4, 0.45, 0.07)
        local = rng.integers(1, 4, n)  # the local topic, 1 to 3, of a relevant page
        out = tuple(_links(rng, page, relevant, host, degree) for page in range(n))
        informative = np.where(relevant, rng.random(n) < 0.7, rng.random(n) < 0.08)
        R, R_anchor = {}, {}
        for V in VOCABULARIES:
            share = 1.0 if not V.startswith("LTK") else np.where(local == int(V[-1]), 1.0, 0.3)
            high, low = rng.uniform(0.55, 1.0, n), rng.uniform(0.0, 0.5, n) * (rng.random(n) < 0.4)
            R[V] = np.where(relevant, high * share, low)
            R_anchor[V] = np.where(informative, rng.uniform(0.4, 1.0, n) * share, 0.0)
        seeds = np.concatenate([rng.choice(np.flatnonzero(relevant), 3), rng.choice(np.flatnonzero(~relevant), 2)])
        day, in_class = _days_and_classes(np.random.default_rng([seed, 2]), relevant)
        return cls(relevant, host, out, R, R_anchor, np.unique(seeds), day, in_class)


def _days_and_classes(rng: np.random.Generator, relevant: Bools) -> tuple[Floats, Bools]:
    """Draw the day and the class of each page, from another generator than all else."""
    n = len(relevant)
    days = EVENT.toordinal() + np.where(relevant, rng.integers(0, 60, n), rng.integers(-1825, 1825, n))
    return np.where(rng.random(n) < 0.2, np.nan, days), relevant ^ (rng.random(n) < 0.1)


def _links(rng: np.random.Generator, page: int, relevant: Bools, host: Ids, degree: int) -> Ids:
    """Draw out-links: some within the host, some to relevant pages (more from relevant ones), the rest anywhere."""
    n = len(relevant)
    to_topic = rng.random(degree) < (0.45 if relevant[page] else 0.04)
    to_host = rng.random(degree) < 0.3
    anywhere = rng.integers(0, n, degree)
    within = rng.choice(np.flatnonzero(host == host[page]), degree)
    topical = rng.choice(np.flatnonzero(relevant), degree)
    targets = np.where(to_topic, topical, np.where(to_host, within, anywhere))
    distinct = np.array(list(dict.fromkeys(targets.tolist())), dtype=np.int64)
    others: Ids = distinct[distinct != page]
    return others
