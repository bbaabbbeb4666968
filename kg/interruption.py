"""Statements that end before they are done: by Ctrl-C, or after a number of seconds; the server ends them too.

A statement runs in a thread of its own while the caller waits, because a driver that is interrupted in the middle of an
answer can neither go on nor tell the server. The server is asked over another connection to end the statement. Its
answer then arrives at the waiting thread, which is the proof that it ended.
"""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from kg.store import StatementError, StoreError
from ontology.errors import Message

GRACE_SECONDS = 10.0
"""Time that a server has to confirm that it ended a statement."""
_ASK_AGAIN_SECONDS = 0.25
_SLICE_SECONDS = 0.2
"""On Windows Ctrl-C waits until a wait is over."""
_LONGEST_ENDING = 900
"""Characters of a statement whose end the embedded engine still lists; it lists the first 1,024."""
_FRONT = re.compile(r"\A(?:(?:EXPLAIN|PROFILE)\s+)?", re.IGNORECASE)
"""The words that the embedded engine wants before any comment."""
_T = TypeVar("_T")
_log = logging.getLogger("kg.interruption")


class StatementTimeout(StoreError):  # noqa: N818 - named for what happened
    """A statement that did not end within its time limit."""


class StatementAbandoned(StoreError):  # noqa: N818 - named for what happened
    """A statement whose answer nobody waits for any more."""


class StatementInterrupted(KeyboardInterrupt):
    """Ctrl-C during a statement; ``ended`` is whether whoever did the work confirmed that it ended."""

    def __init__(self, message: str, *, ended: bool) -> None:
        super().__init__(message)
        self.ended = ended


@dataclass(frozen=True, slots=True)
class Limits:
    """How the statements of a block may end, and the mark by which the server knows them."""

    seconds: float | None = None
    gone: threading.Event | None = None
    mark: str = field(default_factory=lambda: f"ontocrawl-{secrets.token_hex(8)}")


_LIMITS: ContextVar[Limits | None] = ContextVar("limits", default=None)


@contextmanager
def interruptible(seconds: float | None = None, gone: threading.Event | None = None) -> Iterator[None]:
    """Let Ctrl-C, a time limit and an event end the statements that this thread sends in the block, on the server too.

    Statements of ``GraphStore.transaction`` are not affected.

    Args:
        seconds: time limit of each statement; None for no limit.
        gone: is set when nobody waits for the answers any more.
    """
    token = _LIMITS.set(Limits(seconds, gone))
    try:
        yield
    finally:
        _LIMITS.reset(token)


def limits() -> Limits | None:
    """Return the limits of the statements that are sent now; None outside of ``interruptible``."""
    return _LIMITS.get()


@dataclass(slots=True)
class Outcome(Generic[_T]):
    """What a thread returned or raised, once it is done."""

    value: _T | None = None
    error: BaseException | None = None
    done: threading.Event = field(default_factory=threading.Event)

    def start(self, work: Callable[[], _T]) -> None:
        """Start a work in another thread, which ends with the process at the latest."""
        threading.Thread(target=copy_context().run, args=(self._fill, work), daemon=True).start()

    def _fill(self, work: Callable[[], _T]) -> None:
        try:
            self.value = work()
        except BaseException as error:
            self.error = error
        finally:
            self.done.set()

    def result(self) -> _T:
        """Return what the work returned, or raise what it raised."""
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]

    def wait(self, seconds: float | None, gone: threading.Event | None = None) -> bool:
        """Wait until it is done, for some seconds (None: any number), or nobody waits for it; return whether it is."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while not self.done.is_set():
            if gone is not None and gone.is_set():
                return False
            left = _SLICE_SECONDS if deadline is None else min(_SLICE_SECONDS, deadline - time.monotonic())
            if left <= 0:
                return False
            self.done.wait(left)
        return True


def run_within(
    work: Callable[[], _T],
    end: Callable[[], Any],
    seconds: float | None = None,
    gone: threading.Event | None = None,
    force: Callable[[], bool] = lambda: False,
) -> _T:
    """Return the result of a work that the server can be asked to end.

    Args:
        work: the work, run in another thread.
        end: asks whoever does the work to end it; called again until it has ended.
        seconds: time limit.
        gone: is set when nobody waits for the result any more.
        force: ends a work that has not ended in spite of that; returns whether it could.

    Raises:
        StatementTimeout: the time is over.
        StatementAbandoned: nobody waits for the result.
        StatementInterrupted: Ctrl-C; a second one ends the wait for the confirmation.
    """
    started = time.monotonic()
    outcome: Outcome[_T] = Outcome()
    try:
        outcome.start(work)
        if outcome.wait(seconds, gone):
            return outcome.result()
    except KeyboardInterrupt as interrupt:
        if _ended(end, outcome, force):
            how = f"the statement was cancelled on the server, {time.monotonic() - started:.1f} s after its start"
            raise StatementInterrupted(how, ended=True) from interrupt
        how = f"the server did not confirm within {GRACE_SECONDS:.0f} s that it cancelled the statement"
        raise StatementInterrupted(how, ended=False) from interrupt
    ended = _ended(end, outcome, force)
    if outcome.done.is_set() and outcome.error is None:
        return outcome.result()  # it was done while it was to be ended
    if gone is not None and gone.is_set():
        raise StatementAbandoned("kg.statement_abandoned", ending=_ending(confirmed=ended))
    raise timed_out(seconds, confirmed=ended)


def _ended(end: Callable[[], Any], outcome: Outcome[Any], force: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + GRACE_SECONDS
    error: StoreError | None = None
    while not outcome.done.is_set() and time.monotonic() < deadline and not isinstance(error, StatementError):
        error = None
        try:
            end()
        except StoreError as failed:  # a refusal (StatementError) stays one; a server that does not answer may yet
            error = failed
        outcome.wait(_ASK_AGAIN_SECONDS)
    if error is not None and not outcome.done.is_set():
        _log.warning("a statement could not be ended: %s", error)
    return outcome.done.is_set() or force()


def _ending(*, confirmed: bool) -> Message:
    return Message("kg.statement_ended" if confirmed else "kg.statement_unconfirmed")


def timed_out(seconds: float | None, *, confirmed: bool = True) -> StatementTimeout:
    """Return the error of a statement whose time is over.

    Args:
        seconds: its time limit; None for one that the server sets.
        confirmed: whether it has ended.
    """
    limit = Message("kg.limit_of_server") if seconds is None else Message("kg.limit_seconds", seconds=seconds)
    return StatementTimeout("kg.statement_time", limit=limit, ending=_ending(confirmed=confirmed))


def marked(statement: str, mark: str) -> str:
    r"""Return a statement with a mark in a comment, by which a list of running statements shows it.

    The mark is at the end, so that lines and columns in the server's messages stay; in front of a long statement,
    because lists of statements are cut.

    Args:
        statement: a Cypher statement.
        mark: letters and digits.

    >>> marked("RETURN 1 AS x", "m7")
    'RETURN 1 AS x\n// m7'
    """
    if len(statement) <= _LONGEST_ENDING:
        return f"{statement}\n// {mark}"
    return _FRONT.sub(lambda front: f"{front[0]}/* {mark} */ ", statement)
