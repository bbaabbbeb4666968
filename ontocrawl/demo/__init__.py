"""The demo: the whole circle on the bundled sample, over HTTP on loopback, with the embedded graph engine."""

from __future__ import annotations

from ontocrawl.demo.crawls import CRAWLS, LEARNED
from ontocrawl.demo.workflow import run

__all__ = ["CRAWLS", "LEARNED", "run"]
