"""Processes that parse pages, beside that of the crawl.

Parsing holds Python's global lock for about half of the time that a page costs, and what it needs and makes is sent
between processes in a tenth of that (benchmarks/crawl.py). So a crawl that is limited by its processor, not by the
politeness to hosts, goes faster with them. A page that crashes the parser costs one process, not the crawl.
"""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import signal
from multiprocessing.connection import Connection
from typing import Any

from crawler.fetching.fetch import Fetched
from crawler.model import Failure
from crawler.pages.page import Extras, PageRecord, failed, page_record
from crawler.process_start import without_signals_of_terminal
from crawler.text import Matcher


class ParserProcesses:
    """A number of processes, each of which parses one page at a time. Safe to use from several threads.

    They end with the process that made them, however that ends.
    """

    def __init__(self, number: int, matcher: Matcher, extras: Extras) -> None:
        """Start the processes.

        Args:
            number: number of processes, at least 1.
            matcher: counter of the words of all vocabularies.
            extras: further parts of the page that the strategy needs.
        """
        self._task = pickle.dumps((matcher, extras))
        self._idle: queue.SimpleQueue[_Parser] = queue.SimpleQueue()
        for _ in range(number):
            self._idle.put(_Parser(self._task))
        self._number = number

    def use(self, matcher: Matcher, extras: Extras) -> None:
        """Count other words in the pages that are read from now on; each process is replaced before its next page."""
        self._task = pickle.dumps((matcher, extras))

    def read(self, url: str, fetched: Fetched | Failure) -> PageRecord:
        """Return the record of a page, as `crawler.pages.page.page_record`; waits for an idle process.

        A page at which the process ends is recorded as the failure ``parser_crashed``.
        """
        if isinstance(fetched, Failure):
            return failed(url, fetched)
        parser = self._idle.get()
        if parser.task is not self._task:
            parser.close()
            parser = _Parser(self._task)
        try:
            return parser.read(url, fetched)
        except (EOFError, OSError):
            parser.close()
            parser = _Parser(self._task)
            return failed(url, Failure(fetched.final_url, "parser_crashed", "the process that parsed the page ended"))
        finally:
            self._idle.put(parser)

    def close(self) -> None:
        """End the idle processes; one that still parses ends with this process."""
        for _ in range(self._number):
            try:
                self._idle.get(timeout=1.0).close()
            except queue.Empty:
                return


class _Parser:
    def __init__(self, task: bytes) -> None:
        context = multiprocessing.get_context("spawn")  # the crawl has threads, which a fork would break
        self.task = task
        self._here, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, task), daemon=True, name="page parser")
        with without_signals_of_terminal():  # ignored by `_serve` only when it has read its modules
            self._process.start()
        there.close()

    def read(self, url: str, fetched: Fetched) -> PageRecord:
        self._here.send((url, fetched))
        reply: Any = self._here.recv()
        if isinstance(reply, Exception):
            raise reply
        record: PageRecord = reply
        return record

    def close(self) -> None:
        self._here.close()
        self._process.join(timeout=1.0)
        if self._process.is_alive():
            self._process.kill()


def _serve(there: Connection, task: bytes) -> None:
    for name in ("SIGINT", "SIGHUP"):  # Ctrl-C, and the end of a terminal, are sent to all processes
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)  # the crawl decides when to end
    matcher, extras = pickle.loads(task)  # noqa: S301 - it comes from the process that started this one
    while True:
        try:
            url, fetched = there.recv()
        except (EOFError, OSError):
            return
        try:
            reply: PageRecord | Exception = page_record(url, fetched, matcher, extras)
        except Exception as error:
            reply = error
        there.send(reply)
