"""Long tasks of the explorer, each in a thread of its own, with the stages that it has come to."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any

from ontocrawl.errors import UnknownNameError, UsageError
from ontology.errors import OntocrawlError

Work = Callable[[Callable[[str], None]], Mapping[str, Any]]
"""A task: receives the callback for its stages, returns its result as JSON values."""
_KEPT = 50
"""Largest number of tasks whose results are kept."""


@dataclass
class Job:
    """A task and how far it is."""

    id: str
    what: str
    """What is done, and to what, such as ``apply rainstorm``."""
    stages: list[str] = field(default_factory=list)
    """The stages so far; the last one goes on."""
    result: Mapping[str, Any] | None = None
    error: str = ""
    ended: Event = field(default_factory=Event)

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return self.ended.is_set()

    def as_json(self) -> dict[str, Any]:
        """Return the task as JSON values."""
        return {
            "id": self.id, "what": self.what, "stages": list(self.stages), "done": self.done, "result": self.result,
            "error": self.error,
        }  # fmt: skip


class Jobs:
    """The tasks of one server."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = Lock()

    def start(self, what: str, work: Work, *, only_reads: bool = False) -> Job:
        """Start a task in a thread.

        Args:
            what: what is done, and to what.
            work: the task; an OntocrawlError or OSError ends it, and its text becomes the error of the job.
            only_reads: whether the task changes nothing; who asks for it while it goes on gets the same one.

        Raises:
            UsageError: the same is being done already, and it changes something.
        """
        with self._lock:
            same = next((job for job in self._jobs.values() if job.what == what and not job.done), None)
            if same is not None and only_reads:
                return same
            if same is not None:
                raise UsageError("explorer.task_twice", what=what)
            ended = [id_ for id_, job in self._jobs.items() if job.done]
            for id_ in ended[: max(0, len(self._jobs) - _KEPT + 1)]:
                del self._jobs[id_]
            job = Job(secrets.token_hex(8), what)
            self._jobs[job.id] = job
        Thread(target=_run, args=(job, work), name=what).start()  # no daemon: it ends before the process does
        return job

    def running(self) -> list[Job]:
        """Return the tasks that go on."""
        with self._lock:
            return [job for job in self._jobs.values() if not job.done]

    def get(self, id_: str) -> Job:
        """Return a task. Raises UnknownNameError for one that the server does not know."""
        if id_ not in self._jobs:
            raise UnknownNameError("explorer.task_none", id=id_[:40], name=id_)
        return self._jobs[id_]


def _run(job: Job, work: Work) -> None:
    try:
        job.result = work(job.stages.append)
    except (OntocrawlError, OSError) as error:
        job.error = error.message if isinstance(error, OntocrawlError) else str(error)
    except Exception as error:
        job.error = f"{type(error).__name__}: {error}"
        raise
    finally:
        job.ended.set()
