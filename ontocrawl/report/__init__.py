"""The report of a demo: a self-contained HTML page, rendered from plain values."""

from __future__ import annotations

from ontocrawl.report.data import CrawlCurve, QueryAnswer, ReportData, ReportError, Round, WeightTable
from ontocrawl.report.html import render

__all__ = ["CrawlCurve", "QueryAnswer", "ReportData", "ReportError", "Round", "WeightTable", "render"]
