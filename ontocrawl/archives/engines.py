"""The engine of a command: the processes of this machine, or Spark."""

from __future__ import annotations

from contextlib import AbstractContextManager

from ontocrawl.archives.engine import Engine, Processes


def engine(jobs: int, master: str | None, name: str) -> AbstractContextManager[Engine]:
    """Return the engine of a command, to be used as a context manager.

    Args:
        jobs: number of processes.
        master: a Spark master, in place of processes.
        name: name of the Spark application.

    Raises:
        MissingExtra, SparkError: Spark cannot be started.
    """
    if master is None:
        return Processes(jobs)
    from ontocrawl.archives.spark import spark

    return spark(master, name)
