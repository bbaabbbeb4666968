"""The demo: the whole circle on the bundled sample, over HTTP on loopback, with the embedded graph engine."""

from __future__ import annotations

from ontocrawl.demo.workflow import CRAWLS, LEARNED, run

__all__ = ["CRAWLS", "LEARNED", "run"]
