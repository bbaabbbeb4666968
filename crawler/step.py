"""What a crawl yields for each fetch."""

from __future__ import annotations

from dataclasses import dataclass

from crawler.model import Outcome
from crawler.pages.page import PageRecord


@dataclass(frozen=True)
class Step:
    """One fetch, after the strategy received its outcome."""

    number: int
    url: str
    record: PageRecord
    outcome: Outcome
    fetched: int
    relevant: int
    queued: int
    in_flight: int
