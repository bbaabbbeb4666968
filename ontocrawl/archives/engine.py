"""Where the steps of parts run: an engine applies a step to every part; the processes of this machine are one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from typing import Any, Protocol

from ontocrawl.base.process_pool import process_pool
from ontocrawl.errors import CommandError

Part = Hashable
"""A unit of work, whose text names it in errors: a part of an archive, or of what another command does."""
Step = Callable[[Any], dict[str, Any]]
_TRIES = 3
"""Number of times that a part is begun whose process ends."""


class Engine(Protocol):
    """An engine."""

    @property
    def application(self) -> str | None:
        """Id of the Spark application; None for another engine."""
        ...

    def run(self, step: Step, parts: Sequence[Part], on_done: Callable[[int], None]) -> list[dict[str, Any]]:
        """Apply a step to parts, in any order and at the same time.

        Args:
            step: the step; it is sent to other processes.
            parts: the parts.
            on_done: called with the number of parts that are done.

        Returns:
            The results, in the order of the parts.
        """
        ...


class Processes:
    """A number of processes on this machine; with one, the steps run in this process. A context manager."""

    application = None

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None
        self._open = ExitStack()

    def __enter__(self) -> Processes:
        """Return the engine; processes are started when they are needed."""
        return self

    def __exit__(self, *error: Any) -> None:
        """End the processes; after an error, without their work."""
        self._open.__exit__(*error)

    def run(self, step: Step, parts: Sequence[Part], on_done: Callable[[int], None]) -> list[dict[str, Any]]:
        """Apply a step to parts, as `Engine.run`.

        Raises:
            CommandError: the processes end again and again, as where there is too little memory.
        """
        results = dict[Part, dict[str, Any]]()
        if self._jobs == 1 or len(parts) < 2:
            for part in parts:
                results[part] = step(part)
                on_done(len(results))
        tries = Counter[Part]()
        while left := [part for part in parts if part not in results]:
            try:
                self._run_some(step, left, results, on_done, tries)
            except BrokenExecutor as error:
                self._open.close()
                self._pool = None
                worst, times = tries.most_common(1)[0]
                if times >= _TRIES:
                    raise CommandError("archives.process_read_ended_times", worst=worst, times=times) from error
        return [results[part] for part in parts]

    def _run_some(
        self,
        step: Step,
        parts: Sequence[Part],
        results: dict[Part, dict[str, Any]],
        on_done: Callable[[int], None],
        tries: Counter[Part],
    ) -> None:
        """Apply a step in a new pool, until all parts have a result or a process ends (BrokenExecutor)."""
        if self._pool is None:
            self._pool = self._open.enter_context(process_pool(self._jobs))
        waiting, running = list(reversed(parts)), dict[Future[dict[str, Any]], Part]()
        while waiting or running:
            while waiting and len(running) < self._jobs:
                part = waiting.pop()
                tries[part] += 1
                running[self._pool.submit(step, part)] = part
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                part = running.pop(future)
                results[part] = future.result()
                on_done(len(results))
