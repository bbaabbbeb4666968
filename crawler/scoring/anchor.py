"""Vectors of short texts by TF-IDF over the crawled pages.

Paper 000 (FCOSA), section 4.3, Eqs. (9) and (10), for anchors; paper 002 (Wang-Landau), section 1, Eq. (3), for pages
and anchors. Both divide by numbers that are 0 early in a crawl; traps T6 and T20 say how that is read.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from crawler.model import Counts, Floats
from crawler.scoring.vsm import cosine

Reading = Literal["repaired", "printed"]


def anchor_weights(F: Counts, N: int, N_i: Counts, *, base: float = np.e) -> Floats:
    """w_ak of Eq. (9): f_i / sum_m f_m * log_s(N / N_i + .01).

    Args:
        F: frequencies f_i of the n topic words in m anchors, shape (m, n).
        N: number of crawled pages; 0 counts as 1 (trap T6).
        N_i: number of crawled pages that contain each word, shape (n,); 0 counts as 1 (trap T6).
        base: s, any number above 1; it cancels in Eq. (10).

    Returns:
        Shape (m, n); a row of zeros for an anchor without topic words.
    """
    idf = np.log(max(N, 1) / np.maximum(N_i, 1) + 0.01) / np.log(base)
    w_ak: Floats = _tf(F) * idf  # Eq. (9)
    return w_ak


def anchor_relevance(F: Counts, w_tk: Floats, N: int, N_i: Counts) -> Floats:
    """R(A) of Eq. (10) for m anchors, shape (m,), in [0, 1]; 0 without topic words. Arguments as of Eq. (9)."""
    return np.clip(cosine(w_tk, anchor_weights(F, N, N_i)), 0.0, 1.0)  # Eq. (10)


def wang_landau_weights(F: Counts, D: int, D_i: Counts, *, reading: Reading = "repaired") -> Floats:
    """w_dk of Eq. (3) of paper 002: n_ji / sum_k n_jk * idf, for m texts.

    Args:
        F: frequencies n_ji, shape (m, n).
        D: number of crawled pages, these texts' own included; 0 counts as 1.
        D_i: number of crawled pages that contain each word, shape (n,).
        reading: "printed", lg(D / (1 + D_i)), is negative for the first pages and falls the better the crawl goes
            (trap T20); "repaired" is ln((1 + D) / (1 + D_i)) + 1, always positive.

    Returns:
        Shape (m, n); a row of zeros for a text without topic words.
    """
    D = max(D, 1)
    idf = np.log10(D / (1.0 + D_i)) if reading == "printed" else np.log((1.0 + D) / (1.0 + D_i)) + 1.0
    w_dk: Floats = _tf(F) * idf  # Eq. (3)
    return w_dk


def wang_landau_relevance(F: Counts, w_tk: Floats, D: int, D_i: Counts, *, reading: Reading = "repaired") -> Floats:
    """Cosine of the topic and Eq. (3) of paper 002, its Eq. (4), for m texts; shape (m,), in [-1, 1] as printed."""
    return cosine(w_tk, wang_landau_weights(F, D, D_i, reading=reading))


def _tf(F: Counts) -> Floats:
    tf: Floats = F / np.maximum(F.sum(axis=-1, keepdims=True), 1)
    return tf
