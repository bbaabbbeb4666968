"""Contexts that several tests use: Table 1 of paper 000, random ones, and the local test data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from ontology.context import FormalContext

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
TERM_EXTENTS = {1: (1, 2, 3, 4, 5), 2: (1, 2, 3), 3: (2, 3, 5), 4: (2, 5), 5: (3, 5), 6: (4, 5), 7: (4,), 8: (5,)}
TERM_COVERS = [(1, 2), (1, 3), (1, 6), (3, 4), (3, 5), (4, 8), (5, 8), (6, 7), (6, 8)]


def table1() -> FormalContext:
    """The context of Table 1: documents D1..D5, terms T1..T8."""
    pairs = [(f"D{d}", f"T{t}") for t, documents in TERM_EXTENTS.items() for d in documents]
    return FormalContext.from_pairs(pairs, [f"D{d}" for d in range(1, 6)], [f"T{t}" for t in range(1, 9)])


def named(table: np.ndarray) -> FormalContext:
    """A context of a boolean table, with made-up names."""
    n, m = table.shape
    return FormalContext.from_bools([f"g{i}" for i in range(n)], [f"m{j}" for j in range(m)], table)


@st.composite
def contexts(draw: st.DrawFn, objects: int = 7, attributes: int = 7) -> FormalContext:
    """Small contexts with at least one incidence, empty and full rows and columns among them."""
    n, m = draw(st.integers(1, objects)), draw(st.integers(1, attributes))
    rows = draw(st.lists(st.integers(0, 2**m - 1), min_size=n, max_size=n).filter(any))
    return FormalContext(tuple(f"g{i}" for i in range(n)), tuple(f"m{j}" for j in range(m)), tuple(rows))


def data(name: str) -> Path:
    """A file of the local test data; the test is skipped where it is absent."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"local test data not found: {path}")
    return path
