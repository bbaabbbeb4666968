"""Ontologies compared and counted: what changed between two, and the figures of one."""

from __future__ import annotations

from ontology.compare.diff import Difference, diff
from ontology.compare.report import markdown, plain, rows
from ontology.compare.statistics import DEFINITIONS, Statistics, statistics

__all__ = ["DEFINITIONS", "Difference", "Statistics", "diff", "markdown", "plain", "rows", "statistics"]
