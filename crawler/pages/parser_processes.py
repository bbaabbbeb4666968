"""Processes that parse pages, beside that of the crawl.

Parsing holds Python's global lock for about half of the time that a page costs, and what it needs and makes is sent
between processes in a tenth of that (benchmarks/crawl.py). So a crawl that is limited by its processor, not by the
politeness to hosts, goes faster with them. A page that crashes the parser costs one process, not the crawl.

PDF and Word files are always read in processes of their own, because native code reads them that no exception stops.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import queue
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

from crawler.fetching.fetch import Fetched
from crawler.model import Failure
from crawler.pages import documents
from crawler.pages.page import Extras, PageRecord, failed, page_record
from crawler.process_start import without_signals_of_terminal
from crawler.text import Matcher

SECONDS = 20.0
"""Time that a document may take; one of 2,000 pages takes about 10 seconds."""
MEMORY = 1 << 30
"""Bytes of memory that the reader of a document may take."""
_CRASHED = "parser_crashed"


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
        self._idle: queue.SimpleQueue[tuple[_Process, bytes]] = queue.SimpleQueue()
        for _ in range(number):
            self._idle.put(self._new())
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
        process, task = self._idle.get()
        if task is not self._task:
            process.close()
            process, task = self._new()
        try:
            record: PageRecord = process.ask((url, fetched))
        except (EOFError, OSError):
            process.close()
            process, task = self._new()
            return failed(url, Failure(fetched.final_url, _CRASHED, "the process that parsed the page ended"))
        finally:
            self._idle.put((process, task))
        return record

    def close(self) -> None:
        """End the idle processes; one that still parses ends with this process."""
        for _ in range(self._number):
            try:
                self._idle.get(timeout=1.0)[0].close()
            except queue.Empty:
                return

    def _new(self) -> tuple[_Process, bytes]:
        return _Process(_serve, "page parser", self._task), self._task


class DocumentReaders:
    """Processes that read PDF and Word files, each a file at a time, within limits of time and memory.

    They start when the first file comes. A file at which one of them ends, or that takes too long, costs that process,
    and the next file gets a new one. Safe to use from several threads.
    """

    def __init__(self, number: int = 2, seconds: float = SECONDS) -> None:
        """Set how many there are at most.

        Args:
            number: number of processes, at least 1.
            seconds: time that a file may take.
        """
        self._seconds = seconds
        self._number = number
        self._idle: queue.SimpleQueue[_Process | None] = queue.SimpleQueue()
        for _ in range(number):
            self._idle.put(None)

    def as_text(self, fetched: Fetched | Failure) -> Fetched | Failure:
        """Return a response that is a document as its record, or why it is not read; any other result as it is."""
        if isinstance(fetched, Failure):
            return fetched
        response = fetched.response
        kind = documents.document_kind(response)
        if kind is None:
            is_text = documents.is_plain_text(response)
            return _with_body(fetched, "text/plain", response.body) if is_text else fetched
        if not response.body:
            return Failure(response.url, "empty", f"a file of the kind {kind} without a byte", response.status)
        if kind not in documents.READ:
            detail = f"a file of the kind {kind} is not read; PDF, DOCX and plain text are"
            return Failure(response.url, documents.UNSUPPORTED, detail, response.status)
        record = self._record(kind, response.body)
        if isinstance(record, tuple):
            return Failure(response.url, *record, response.status)
        return _with_body(fetched, documents.RECORD_TYPE, record)

    def _record(self, kind: str, body: bytes) -> bytes | tuple[str, str]:
        """Return the record of a document, or the reason code and a sentence why it is not read."""
        process = self._idle.get()
        try:
            process = process or _document_reader()
            record: bytes | tuple[str, str] = process.ask((kind, body), self._seconds)
        except (_TooSlowError, EOFError, OSError) as error:
            if process is not None:
                process.kill()
                process = None
            if isinstance(error, _TooSlowError):
                return documents.TOO_COSTLY, f"reading it takes more than {self._seconds:g} seconds"
            return _CRASHED, "the process that read the document ended"
        finally:
            self._idle.put(process)
        return record

    def close(self) -> None:
        """End the processes."""
        for _ in range(self._number):
            try:
                process = self._idle.get(timeout=1.0)
            except queue.Empty:
                return
            if process is not None:
                process.close()


def _document_reader() -> _Process:
    """Return a new process that reads documents, when it is ready: its start counts for no document."""
    process = _Process(_serve_documents, "document reader")
    process.receive()
    return process


def _with_body(fetched: Fetched, content_type: str, body: bytes) -> Fetched:
    """Return a fetch whose response has another body."""
    response = fetched.response
    headers = {**response.headers, "content-type": content_type}
    return replace(fetched, response=replace(response, headers=headers, body=body))


class _TooSlowError(Exception):
    """A process has no reply within its time."""


class _Process:
    """A process that replies to one request at a time. It ends with this one."""

    def __init__(self, serve: Callable[..., None], name: str, *arguments: object) -> None:
        context = multiprocessing.get_context("spawn")  # the crawl has threads, which a fork would break
        self._here, there = context.Pipe()
        self._process = context.Process(target=serve, args=(there, *arguments), daemon=True, name=name)
        with without_signals_of_terminal():  # ignored by `_ignore_terminal` only when it has read its modules
            self._process.start()
        there.close()

    def ask(self, request: object, seconds: float | None = None) -> Any:
        """Send a request and return its reply, or raise the exception that the reply is."""
        self._here.send(request)
        if not self._here.poll(seconds):
            raise _TooSlowError
        return self.receive()

    def receive(self) -> Any:
        """Return the next reply, or raise the exception that it is."""
        reply: Any = self._here.recv()
        if isinstance(reply, Exception):
            raise reply
        return reply

    def close(self) -> None:
        """End the process when it has made what it is making."""
        self._here.close()
        self._process.join(timeout=1.0)
        self.kill()

    def kill(self) -> None:
        """End the process now."""
        self._here.close()
        if self._process.is_alive():
            self._process.kill()


def _ignore_terminal() -> None:
    for name in ("SIGINT", "SIGHUP"):  # Ctrl-C, and the end of a terminal, are sent to all processes
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)  # the crawl decides when to end


def _serve(there: Connection, task: bytes) -> None:
    _ignore_terminal()
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


def _serve_documents(there: Connection) -> None:
    _ignore_terminal()
    _limit_memory()
    Thread(target=_end_after_parent, daemon=True).start()
    there.send("ready")
    while True:
        try:
            kind, body = there.recv()
        except (EOFError, OSError):
            return
        try:
            reply: bytes | tuple[str, str] = documents.read_document(kind, body)
        except documents.DocumentError as error:
            reply = error.reason, error.detail
        except MemoryError:
            reply = documents.TOO_COSTLY, f"reading it takes more than {MEMORY // 2**20} MB of memory"
        except Exception as error:  # a file must not end the crawl by a mistake of its reader; the detail names it
            reply = documents.DAMAGED, f"the reader fails at it: {type(error).__name__}: {error}"[:300]
        there.send(reply)


def _end_after_parent() -> None:
    """End this process with the one that started it, also within a file that the reader does not come to the end of."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _limit_memory() -> None:
    """Limit the memory of this process to ``MEMORY`` more than it has; Linux alone keeps to such a limit."""
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
