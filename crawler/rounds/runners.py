"""Where the tasks of a round run: in this process, or in processes of this machine. Spark's are in ontocrawl."""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Protocol

from crawler.model import World
from crawler.process_start import without_signals_of_terminal
from crawler.rounds.task import Agent, Counting, Reply, Task, fetch, run
from ontology.errors import OntocrawlError

TRIES = 2
"""How often a partition is given to a process that ends before it has fetched it."""


class RoundError(OntocrawlError, RuntimeError):
    """A round that stopped. The partitions that were fetched are in the journal, so that the run can be resumed."""


OnReply = Callable[[Reply | BaseException], None]


class Runner(Protocol):
    """Runs tasks. Its methods are called by the thread of the crawl."""

    places: int
    """Number of tasks that run at once."""

    def start(self, task: Task, counting: Counting, on_reply: OnReply) -> None:
        """Begin a task; ``on_reply`` is called with its reply or error, in any thread."""
        ...

    def drain(self) -> None:
        """Let the tasks that run end soon, with what they have."""
        ...

    def close(self) -> None:
        """End everything."""
        ...


class InProcess:
    """Runs one task at a time in the process of the crawl, over its world."""

    def __init__(self, agent: Agent, world: World) -> None:
        self.places = 1
        self._agent, self._world = agent, world
        self._is_draining = False

    def start(self, task: Task, counting: Counting, on_reply: OnReply) -> None:
        """Run a task, and call ``on_reply`` before this method returns."""
        on_reply(fetch(task, self._agent, counting, self._world, lambda: self._is_draining))

    def drain(self) -> None:
        """Let the task end soon; a signal handler calls this while it runs."""
        self._is_draining = True

    def close(self) -> None:
        """Do nothing: the caller closes the world."""


class InThreads(ABC):
    """Runs tasks in other processes, each watched by a thread of this one. Subclasses say what a thread does."""

    def __init__(self, agent: Agent, places: int) -> None:
        self.places = places
        self.agent = pickle.dumps(agent)
        self._counting: tuple[Counting | None, bytes] = None, b""
        self._tasks: queue.SimpleQueue[tuple[Task, bytes, OnReply] | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._work, daemon=True, name=f"task {i}") for i in range(places)]
        for thread in self._threads:
            thread.start()

    def start(self, task: Task, counting: Counting, on_reply: OnReply) -> None:
        """Begin a task when a place is free."""
        if self._counting[0] is not counting:
            self._counting = counting, pickle.dumps(counting)
        self._tasks.put((task, self._counting[1], on_reply))

    def close(self) -> None:
        """End the threads."""
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join(timeout=5.0)

    def _work(self) -> None:
        while (item := self._tasks.get()) is not None:
            task, counting, on_reply = item
            try:
                reply: Reply | BaseException = pickle.loads(self.run(task, counting))  # noqa: S301 - from our process
            except BaseException as error:
                reply = error
            on_reply(reply)

    @abstractmethod
    def run(self, task: Task, counting: bytes) -> bytes:
        """Run a task elsewhere, and return its pickled reply; called in a thread."""

    @abstractmethod
    def drain(self) -> None:
        """Let the tasks that run end soon, with what they have."""


class LocalProcesses(InThreads):
    """Runs tasks in processes of this machine. One that is killed is replaced, and its partition given to the next."""

    def __init__(self, agent: Agent, places: int) -> None:
        """Prepare the processes, each of which starts with its first task; ``places`` is their number, at least 1."""
        context = multiprocessing.get_context("spawn")  # the crawl has threads, which a fork would break
        self._ended = context.Event()
        self.workers = [_Worker(context, self._ended) for _ in range(places)]
        self._idle: queue.LifoQueue[_Worker] = queue.LifoQueue()  # those that have started are taken first
        for worker in reversed(self.workers):
            self._idle.put(worker)
        super().__init__(agent, places)

    def run(self, task: Task, counting: bytes) -> bytes:
        """Run a task in an idle process.

        Raises:
            RoundError: the process ended, and so did the next one.
        """
        worker = self._idle.get()
        try:
            for tries in range(TRIES):
                try:
                    return worker.run(self.agent, counting, pickle.dumps(task), tries)
                except (EOFError, OSError):
                    worker.restart()
            raise RoundError("rounds.partition_process_fetched_ended", partition=task.partition, tries=TRIES)
        finally:
            self._idle.put(worker)

    def drain(self) -> None:
        """Let the tasks that run end soon, with what they have."""
        self._ended.set()

    def close(self) -> None:
        """End the threads and the processes."""
        self._ended.set()
        super().close()
        for worker in self.workers:
            worker.close()


class _Worker:
    """A process that runs tasks, and ends with the process of the crawl."""

    def __init__(self, context: Any, ended: Any) -> None:
        self._context, self._ended = context, ended
        self.process: Any = None
        """The process; None before its first task, since a round has no more tasks than hosts."""

    def restart(self) -> None:
        self._here, there = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(there, self._ended), daemon=True, name="round task")
        with without_signals_of_terminal():
            process.start()
        self.process = process
        there.close()

    def run(self, *task: bytes | int) -> bytes:
        if self.process is None:
            self.restart()
        self._here.send(task)
        reply: Any = self._here.recv()
        if isinstance(reply, BaseException):
            raise RoundError("rounds.task_failed", name=type(reply).__name__, reply=reply) from reply
        found: bytes = reply
        return found

    def close(self) -> None:
        if self.process is None:
            return
        self._here.close()
        self.process.join(timeout=1.0)
        if self.process.is_alive():
            self.process.kill()
        self.process.join()


def _serve(there: Connection, ended: Any) -> None:
    for name in ("SIGINT", "SIGHUP"):  # Ctrl-C, and the end of a terminal, are sent to all processes
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)  # the crawl decides when to end
    crawl = multiprocessing.parent_process()

    def is_ended() -> bool:
        return bool(ended.is_set()) or crawl is None or not crawl.is_alive()

    while True:
        try:
            agent, counting, task, tries = there.recv()
        except (EOFError, OSError):
            return
        try:
            reply: Any = run(agent, counting, task, tries, is_ended)
        except Exception as error:
            reply = RuntimeError(f"{type(error).__name__}: {error}")
        there.send(reply)
