"""Ontologies compared and counted: what changed between two, and the figures of one."""

from __future__ import annotations

from ontology.compare.diff import Difference, Move, Stated, diff, diff_files, held, moves, without
from ontology.compare.report import markdown, plain, rows
from ontology.compare.statistics import DEFINITIONS, Statistics, statistics

__all__ = [
    "DEFINITIONS",
    "Difference",
    "Move",
    "Stated",
    "Statistics",
    "diff",
    "diff_files",
    "held",
    "markdown",
    "moves",
    "plain",
    "rows",
    "statistics",
    "without",
]
