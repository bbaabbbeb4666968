"""`ontocrawl --log-format=json COMMAND`: the log as JSON, a line on stderr for each note, error and page."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ontology.printable import json_text

if TYPE_CHECKING:
    from crawler.step import Step


class JsonLog(logging.Handler):
    """Writes the lines. As a handler it takes the records of Python's logging too, also those of libraries."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, Any] = {}
        """What each line has besides its own fields, such as the run."""

    def line(self, level: str, message: str, **fields: Any) -> None:
        """Write a line.

        Args:
            level: debug, info, warning, error or critical.
            message: what happened, for people.
            **fields: what it is about, as JSON values.
        """
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        document = {"time": now, "level": level, "message": message, **self.fields, **fields}
        sys.stderr.write(json_text(document) + "\n")
        sys.stderr.flush()

    def emit(self, record: logging.LogRecord) -> None:
        """Write the line of a record of Python's logging."""
        failure = {} if record.exc_info is None else {"error": repr(record.exc_info[1])}
        self.line(record.levelname.lower(), record.getMessage(), logger=record.name, **failure)

    def page(self, step: Step) -> None:
        """Write the line of a page or a failure of a crawl."""
        failed = step.outcome.failure is not None
        self.line("warning" if failed else "info", "failure" if failed else "page", **page_fields(step))


def page_fields(step: Step) -> Mapping[str, Any]:
    """Return the fields of the line of a page: URL, status, how it was judged or why it failed, and the counts."""
    score, record = step.outcome.page_score, step.record
    what = (
        {"reason": step.outcome.failure} if score is None else {"relevance": score.judged, "relevant": score.relevant}
    )
    moved = {} if record.final_url == step.url else {"final_url": record.final_url}
    counts = {"fetched": step.fetched, "queued": step.queued, "in_flight": step.in_flight}
    return {"url": step.url, **moved, "status": record.status, **what, **counts}


def install(previous: JsonLog | None, wanted: bool) -> JsonLog | None:
    """Let Python's logging go to a new log, or no longer to one.

    Args:
        previous: the log of an earlier command of this process.
        wanted: whether there is to be one.

    Returns:
        The new log, or None.
    """
    root = logging.getLogger()
    if previous is not None:
        root.removeHandler(previous)
    if not wanted:
        return None
    log = JsonLog()
    root.addHandler(log)
    return log
