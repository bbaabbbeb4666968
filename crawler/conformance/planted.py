"""A planted web: pages as numbers, for rehearsals of strategies (crawler.testing).

It has what focused crawling lives on: few relevant pages, which link to each other more than chance (topical
locality), on hosts that are more or less relevant, with anchors that tell much and not all. It is made from a seed,
and its labels are assigned before anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np

from crawler.model import Bools, Floats, Ids

EVENT = date(2013, 11, 8)
"""Relevant pages are from the months after it, others from any time in ten years."""
VOCABULARIES = ("TK", "GTK", "LTK_1", "LTK_2", "LTK_3")


@dataclass(frozen=True)
class PlantedWeb:
    """``n`` pages with everything that a strategy could be told about them. Page numbers are not link ids."""

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
    """Day of publication of each page as an ordinal, NaN where it tells none, shape (n,)."""
    in_class: Bools
    """Whether a classifier finds each page to be on the topic; it errs for one in ten. Shape (n,)."""

    @classmethod
    def plant(cls, seed: int, n: int = 600, hosts: int = 20, degree: int = 8) -> PlantedWeb:
        """The web of a seed: a sixth of its pages is relevant, three of five seed pages are."""
        rng = np.random.default_rng(seed)
        host = rng.integers(0, hosts, n)
        relevant = rng.random(n) < np.where(host < hosts // 4, 0.45, 0.07)
        local = rng.integers(1, 4, n)  # the local topic, 1 to 3, of a relevant page
        out = tuple(_links(rng, page, relevant, host, degree) for page in range(n))
        tells = np.where(relevant, rng.random(n) < 0.7, rng.random(n) < 0.08)
        R, R_anchor = {}, {}
        for V in VOCABULARIES:
            own = 1.0 if not V.startswith("LTK") else np.where(local == int(V[-1]), 1.0, 0.3)
            high, low = rng.uniform(0.55, 1.0, n), rng.uniform(0.0, 0.5, n) * (rng.random(n) < 0.4)
            R[V] = np.where(relevant, high * own, low)
            R_anchor[V] = np.where(tells, rng.uniform(0.4, 1.0, n) * own, 0.0)
        seeds = np.concatenate([rng.choice(np.flatnonzero(relevant), 3), rng.choice(np.flatnonzero(~relevant), 2)])
        day, in_class = _told(np.random.default_rng([seed, 2]), relevant)
        return cls(relevant, host, out, R, R_anchor, np.unique(seeds), day, in_class)


def _told(rng: np.random.Generator, relevant: Bools) -> tuple[Floats, Bools]:
    """When each page is from and what a classifier says of it; drawn apart, so that it changes nothing else."""
    n = len(relevant)
    days = EVENT.toordinal() + np.where(relevant, rng.integers(0, 60, n), rng.integers(-1825, 1825, n))
    return np.where(rng.random(n) < 0.2, np.nan, days), relevant ^ (rng.random(n) < 0.1)


def _links(rng: np.random.Generator, page: int, relevant: Bools, host: Ids, degree: int) -> Ids:
    """Out-links: some within the host, some to relevant pages (from relevant ones more), the rest anywhere."""
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
