"""The report of a demo: plain values in, one self-contained HTML page out."""

from __future__ import annotations

from ontocrawl.report.data import (
    CrawlFigures,
    Figures,
    ProposalRow,
    QueryAnswer,
    RankedPage,
    ReportData,
    ReportError,
    WeightRow,
    WeightTable,
)
from ontocrawl.report.html import render

__all__ = [
    "CrawlFigures",
    "Figures",
    "ProposalRow",
    "QueryAnswer",
    "RankedPage",
    "ReportData",
    "ReportError",
    "WeightRow",
    "WeightTable",
    "render",
]
