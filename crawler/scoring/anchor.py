"""TF-IDF vectors of short texts over the crawled pages.

Paper 000 (FCOSA), section 4.3, Eqs. (9) and (10), for anchors; paper 002 (Wang-Landau), section 1, Eq. (3), for pages
and anchors. Both divide by numbers that are 0 early in a crawl; traps T6 and T20 give the readings.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from crawler.model import Counts, Floats
from crawler.scoring.vsm import cosine

Reading = Literal["repaired", "printed"]


def anchor_weights(F: Counts, N: int, N_i: Counts, *, base: float = np.e) -> Floats:
    """Compute w_ak of Eq. (9): f_i / sum_m f_m * log_s(N / N_i + .01).

    Args:
        F: frequencies f_i of the n topic words in m anchors, shape (m, n).
        N: number of crawled pages; 0 counts as 1 (trap T6).
        N_i: number of crawled pages that contain each word, shape (n,); 0 counts as 1 (trap T6).
        base: s, any number above 1; it cancels in Eq. (10).

    Returns:
        Shape (m, n); a row of zeros for an anchor without topic words.

    >>> anchor_weights(np.array([[1, 1], [0, 0]]), 10, np.array([10, 1])).round(3).tolist()
    [[0.005, 1.152], [0.0, 0.0]]
    """
    idf = np.log(max(N, 1) / np.maximum(N_i, 1) + 0.01) / np.log(base)
    w_ak: Floats = _tf(F) * idf  # Eq. (9)
    return w_ak


def anchor_relevance(F: Counts, w_tk: Floats, N: int, N_i: Counts) -> Floats:
    """Compute R(A) of Eq. (10), the cosine of the topic vector and each anchor's vector.

    Args:
        F: frequencies f_i of the n topic words in m anchors, shape (m, n).
        w_tk: topic weights, shape (n,).
        N: number of crawled pages.
        N_i: number of crawled pages that contain each word, shape (n,).

    Returns:
        Shape (m,), in [0, 1]; 0 for an anchor without topic words.

    >>> anchor_relevance(np.array([[1, 1], [0, 0]]), np.ones(2), 10, np.array([5, 5])).round(3).tolist()
    [1.0, 0.0]
    """
    return np.clip(cosine(w_tk, anchor_weights(F, N, N_i)), 0.0, 1.0)  # Eq. (10)


def wang_landau_weights(F: Counts, D: int, D_i: Counts, *, reading: Reading = "repaired") -> Floats:
    """Compute w_dk of Eq. (3) of paper 002: n_ji / sum_k n_jk * idf.

    Args:
        F: frequencies n_ji of the n topic words in m texts, shape (m, n).
        D: number of crawled pages, those of these texts included; 0 counts as 1.
        D_i: number of crawled pages that contain each word, shape (n,).
        reading: "printed", lg(D / (1 + D_i)), is negative for the first pages and falls as more pages contain the word
            (trap T20); "repaired" is ln((1 + D) / (1 + D_i)) + 1, always positive.

    Returns:
        Shape (m, n); a row of zeros for a text without topic words.

    >>> F, D_i = np.array([[1, 1]]), np.array([1, 3])
    >>> wang_landau_weights(F, 3, D_i).round(3).tolist()
    [[0.847, 0.5]]
    >>> wang_landau_weights(F, 3, D_i, reading="printed").round(3).tolist()
    [[0.088, -0.062]]
    """
    D = max(D, 1)
    idf = np.log10(D / (1.0 + D_i)) if reading == "printed" else np.log((1.0 + D) / (1.0 + D_i)) + 1.0
    w_dk: Floats = _tf(F) * idf  # Eq. (3)
    return w_dk


def wang_landau_relevance(F: Counts, w_tk: Floats, D: int, D_i: Counts, *, reading: Reading = "repaired") -> Floats:
    """Compute the cosine of the topic vector and Eq. (3), Eq. (4) of paper 002.

    Args:
        F: frequencies of the n topic words in m texts, shape (m, n).
        w_tk: topic weights, shape (n,).
        D: number of crawled pages.
        D_i: number of crawled pages that contain each word, shape (n,).
        reading: of Eq. (3), as in ``wang_landau_weights``.

    Returns:
        Shape (m,), in [-1, 1] for the printed reading and in [0, 1] for the repaired one.

    >>> wang_landau_relevance(np.array([[1, 1], [0, 1]]), np.ones(2), 3, np.array([3, 3])).round(3).tolist()
    [1.0, 0.707]
    """
    return cosine(w_tk, wang_landau_weights(F, D, D_i, reading=reading))


def _tf(F: Counts) -> Floats:
    tf: Floats = F / np.maximum(F.sum(axis=-1, keepdims=True), 1)
    return tf
