"""Apache Spark as the engine of an archive's steps: a task for each part.

Spark divides the work, repeats what fails and knows which executors there are. A task reads its part and writes its
rows, as a process of one machine does; so the archive and the folder of tables must have the same path on all nodes.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from ontocrawl.archives.engine import Part, Step
from ontocrawl.archives.java import SparkError, check_java
from ontocrawl.errors import UsageError
from ontocrawl.version import __version__
from ontology.extras import MissingExtra, require

Task = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]
_PYTHON_ERROR = re.compile(r"^(\w[\w.]*(?:Error|Exception|Missing\w*)): (.*)$", re.MULTILINE)
_NO_MODULE = re.compile(r"No module named '?([\w.]+)")
_LOCAL = re.compile(r"local\[(\d+|\*)\]")
_TRIES = 4
"""Number of times that a part is begun, as on a cluster; in local mode Spark's default is one."""


class Spark:
    """A Spark application."""

    def __init__(self, session: Any) -> None:
        self.session = session

    @property
    def application(self) -> str | None:
        """Id of the application."""
        return str(self.session.sparkContext.applicationId)

    def run(self, step: Step, parts: Sequence[Part], on_done: Callable[[int], None]) -> list[dict[str, Any]]:
        """Apply a step to parts, as `ontocrawl.archives.engine.Engine.run`.

        Raises:
            SparkError: a task fails on every try.
        """
        if not parts:
            return []
        task = _task(step, list(parts), __version__)
        with warnings.catch_warnings():  # it warns of versions of pandas, which is not used here
            warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
            frame = self.session.range(0, len(parts), 1, len(parts)).mapInArrow(task, "id long, result string")
        with ThreadPoolExecutor(1) as thread:
            job = thread.submit(frame.collect)
            try:
                while not job.done():
                    on_done(self._done())
                    time.sleep(0.2)
                rows = job.result()
            except KeyboardInterrupt:
                self.session.sparkContext.cancelAllJobs()
                raise
            except Exception as error:
                raise SparkError("archives.finished_parts_kept_give", message_of=message_of(error)) from error
        on_done(len(parts))
        return [json.loads(row["result"]) for row in sorted(rows, key=lambda row: int(row["id"]))]

    def _done(self) -> int:
        """Return the number of tasks of the running job that are done."""
        tracker = self.session.sparkContext.statusTracker()
        stages = (tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds())
        return sum(stage.numCompletedTasks for stage in stages if stage is not None)


def _task(step: Step, parts: list[Part], version: str) -> Task:
    """Return the function of a task: numbers of parts in, their results out."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from ontocrawl.version import __version__ as here

        if here != version:
            raise RuntimeError(f"the driver has ontocrawl {version}, the executor {here}")
        for batch in batches:
            numbers = batch.column(0).to_pylist()
            results = [json.dumps(step(parts[number])) for number in numbers]
            yield pa.RecordBatch.from_pydict({"id": numbers, "result": results})

    return run


@contextmanager
def spark(master: str, name: str) -> Iterator[Spark]:
    """Start a Spark application; it ends with the block.

    Args:
        master: ``local[N]``, ``local[*]``, ``spark://HOST:PORT``, ``yarn`` or ``k8s://..``.
        name: name of the application.

    Raises:
        MissingExtra: pyspark is not installed.
        SparkError: Java is missing or too old, or the master cannot be reached.
        UsageError: no such master.
    """
    sql = require("pyspark.sql", "spark", "--spark")
    _check_version()
    check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.appName(name).config("spark.log.level", "ERROR")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    if master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.config("spark.ui.enabled", "false")
        master = _LOCAL.sub(rf"local[\1,{_TRIES}]", "local[1]" if master == "local" else master)
    elif not master.startswith(("spark://", "yarn", "k8s://")):
        raise UsageError("archives.no_master_spark_give", master=master)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
            session = builder.master(master).getOrCreate()
    except Exception as error:
        raise SparkError("archives.spark_does_not_start", master=master, first_line=_first_line(error)) from error
    try:
        yield Spark(session)
    finally:
        session.stop()


def _check_version() -> None:
    from importlib.metadata import version

    if int(version("pyspark").split(".")[0]) < 4:
        raise MissingExtra("archives.spark_needs_pyspark_found", version=version("pyspark"))


def message_of(error: Exception) -> str:
    """Return what a user should know of a failed job, without an end of the sentence."""
    text = str(error)
    missing = _NO_MODULE.search(text)
    if missing:
        return (
            f"an executor has no package {missing[1]}: install 'ontocrawl[spark]' {__version__} for the Python of the "
            f"executors ({os.environ.get('PYSPARK_PYTHON')}; PYSPARK_PYTHON names another one)"
        )
    raised = _PYTHON_ERROR.findall(text)
    if raised:
        kind, words = raised[-1]
        return f"a task of Spark failed {_TRIES} times: {kind}: {words[:500]}"
    return f"a task of Spark failed: {_first_line(error)}"


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:500]
