"""Tasks: the same one is not done twice at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from ontocrawl.errors import UsageError
from ontocrawl.explorer.jobs import Jobs


def test_who_asks_for_a_task_that_goes_on_joins_it_or_is_refused() -> None:
    jobs, going_on = Jobs(), threading.Event()

    def work(on_stage: Callable[[str], None]) -> Mapping[str, Any]:
        going_on.wait()
        return {"rows": 2}

    first = jobs.start("gaps rainstorm", work, only_reads=True)
    assert jobs.start("gaps rainstorm", work, only_reads=True) is first
    other = jobs.start("gaps typhoon", work, only_reads=True)
    assert other is not first and len(jobs.running()) == 2
    changing = jobs.start("apply rainstorm", work)
    with pytest.raises(UsageError, match="apply rainstorm: this is being done already"):
        jobs.start("apply rainstorm", work)
    going_on.set()
    for job in (first, other, changing):
        assert job.ended.wait(60) and job.result == {"rows": 2}
    again = jobs.start("gaps rainstorm", work, only_reads=True)
    assert again is not first and again.ended.wait(60)
