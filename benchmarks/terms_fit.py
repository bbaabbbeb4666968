"""Fit the weights of the term scorer on the tuning half of 18,751 Chinese abstracts.

The weights are written to ontology/data/term_weights.json:

    python -m benchmarks.terms_fit [--out ontology/data/term_weights.json]

The corpus is ../shared/data/abstracts_zh/general_18k.jsonl.xz. Halves are those of benchmarks/terms.py. The figures of
candidates are those of the whole corpus' texts; keywords are read for the documents of the tuning half only. Logistic
regression by L-BFGS in two steps: on the candidates of the first block of documents; then on the 50 best candidates
of each document by the first weights and on one in 50 of the others, so that the weights serve the candidates that
compete.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.terms import CORPUS, TUNING, load
from ontology.files import write_atomically
from ontology.terms.keyness import general
from ontology.terms.ngrams import ngrams
from ontology.terms.term_features import NAMES, CandidateFeatures, Rows
from ontology.terms.term_scorer import WEIGHTS, Scorer
from ontology.terms.token_stream import token_stream

BEST = 50
ONE_IN = 50
RIDGE = 1e-5
Array = NDArray[np.float32]


def fit(values: Array, positive: NDArray[np.bool_]) -> Scorer:
    """Ridge logistic regression; the features are standardised while it runs."""
    mean, scale = values.mean(0, dtype=np.float64), values.std(0, dtype=np.float64)
    scale = np.where(scale < 1e-6, 1.0, scale)
    z = ((values - mean) / scale).astype(np.float32)
    y = positive.astype(np.float32)

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = z @ w[:-1].astype(np.float32) + np.float32(w[-1])
        error = (1 / (1 + np.exp(-odds)) - y) / len(y)
        value = float(np.mean(np.logaddexp(0, odds) - y * odds, dtype=np.float64)) + RIDGE * float(w[:-1] @ w[:-1]) / 2
        return value, np.concatenate([z.T @ error + RIDGE * w[:-1], [error.sum()]]).astype(np.float64)

    w = minimize(loss, np.zeros(z.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return Scorer(w[:-1] / scale, mean, float(w[-1]))


def competing(rows: Rows, scorer: Scorer, draw: np.random.Generator) -> NDArray[np.bool_]:
    """The best rows of each document, and one in ONE_IN of the others."""
    order = np.lexsort((-scorer.log_odds(rows), rows.records))
    starts = np.concatenate([[0], np.flatnonzero(np.diff(rows.records[order])) + 1])
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    return (rank < BEST) | (draw.random(len(order)) < 1 / ONE_IN)


def main() -> int:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "ontology" / "data" / WEIGHTS)
    out = parser.parse_args().out
    corpus = load(CORPUS)
    tuning = np.array([half == TUNING for half in corpus.halves])
    keywords = [k if half == TUNING else frozenset() for k, half in zip(corpus.keywords, corpus.halves, strict=True)]
    grams = ngrams(token_stream(corpus.documents))
    draw = np.random.default_rng(0)
    scorer: Scorer | None = None
    values: list[Array] = []
    positive: list[NDArray[np.bool_]] = []
    for block in CandidateFeatures(grams, general()).blocks():
        mine = tuning[block.records]
        rows = Rows(block.records[mine], block.types[mine], block.values[mine])
        y = np.fromiter((grams.text(t) in keywords[r] for t, r in zip(rows.types, rows.records, strict=True)), bool)
        scorer = scorer or fit(rows.values, y)
        chosen = competing(rows, scorer, draw)
        values.append(rows.values[chosen])
        positive.append(y[chosen])
        print(f"{int(rows.records.max()) + 1} of {grams.stream.size} documents", file=sys.stderr)
    final = fit(np.concatenate(values), np.concatenate(positive))
    write_atomically(out, (json.dumps(stored(final, int(tuning.sum()), positive), indent=1) + "\n").encode())
    return 0


def stored(scorer: Scorer, documents: int, positive: list[NDArray[np.bool_]]) -> dict[str, Any]:
    """What the file of weights holds."""
    return {
        "made_by": "benchmarks/terms_fit.py",
        "fitted_on": "the tuning half of abstracts_zh/general_18k (CSL, ChinaXiv, Fudan); no text or keyword is kept",
        "documents": documents,
        "candidates": sum(map(len, positive)),
        "keywords_among_them": int(sum(p.sum() for p in positive)),
        "ridge": RIDGE,
        "intercept": round(scorer.intercept, 6),
        "features": {
            name: {"weight": float(f"{w:.5g}"), "mean": float(f"{m:.5g}")}
            for name, w, m in zip(NAMES, scorer.weights, scorer.centres, strict=True)
        },
    }


if __name__ == "__main__":
    sys.exit(main())
