"""The tasks of a round on Apache Spark: a job of one task for each partition, as many at once as Spark has places.

So each partition comes back by itself, and is absorbed and journalled while others are fetched. Spark repeats a task
whose executor is lost.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

from crawler.rounds.runners import InThreads, RoundError
from crawler.rounds.task import Agent, Reply, Task
from ontocrawl.archives.spark import Spark, message_of, spark
from ontocrawl.version import __version__

_NO_REPLY = Reply((), (), {}, {})


class SparkTasks(InThreads):
    """Runs tasks on the executors of a Spark application."""

    def __init__(self, agent: Agent, master: str, places: int | None = None) -> None:
        """Start the application.

        Args:
            agent: how to fetch.
            master: master of Spark, as of `ontocrawl.archives.spark.spark`.
            places: number of tasks at once; None for the cores of the executors that are there when it starts.

        Raises:
            SparkError: Java is missing or too old, or the master cannot be reached.
        """
        self._application = ExitStack()
        self._spark: Spark = self._application.enter_context(spark(master, "ontocrawl crawl run --rounds"))
        self._is_draining = False
        super().__init__(agent, places or max(1, int(self._spark.session.sparkContext.defaultParallelism)))

    def run(self, task: Task, counting: bytes) -> bytes:
        """Run a task as a job. Raises RoundError where Spark gives up."""
        given = self.agent, counting, pickle.dumps(task)
        frame = self._spark.session.range(0, 1, 1, 1).mapInArrow(_job(*given, __version__), "reply binary")
        try:
            return bytes(frame.collect()[0]["reply"])
        except Exception as error:
            if self._is_draining:
                return pickle.dumps(_NO_REPLY)
            raise RoundError(
                "runs.partition_not_fetched_others", partition=task.partition, message_of=message_of(error)
            ) from error

    def drain(self) -> None:
        """End the tasks that run. Their partitions are fetched again when the run is resumed."""
        self._is_draining = True
        self._spark.session.sparkContext.cancelAllJobs()

    def close(self) -> None:
        """End the tasks and the application."""
        self.drain()
        super().close()
        self._application.close()


def _job(agent: bytes, counting: bytes, task: bytes, version: str) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return the function of a job, which executors run: batches of nothing in, the pickled reply out."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import TaskContext

        from crawler.rounds import task as tasks
        from ontocrawl.version import __version__ as here

        if here != version:
            raise RuntimeError(f"the driver has ontocrawl {version}, the executor {here}")
        context = TaskContext.get()
        tries = 0 if context is None else context.attemptNumber()
        for _ in batches:
            yield pa.RecordBatch.from_pydict({"reply": [tasks.run(agent, counting, task, tries)]})

    return run
