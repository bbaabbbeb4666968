"""Errors that end a command, with a message for the user and an exit code (docs/commands.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ontology.errors import Message, OntocrawlError, Option, closest

__all__ = [
    "ChatError", "CommandError", "GraphNotWritten", "NotInGraphError", "OntocrawlError", "Option", "ResumableStop",
    "StatementCancelled", "UnknownNameError", "UsageError", "WrongTypeError", "nearest",
]  # fmt: skip
FAILURE, USAGE, FINDINGS, DEPENDENCY, RESUMABLE, INTERRUPTED = 1, 2, 3, 4, 5, 130
_SHOWN = 40
"""Largest number of names that a message lists."""


class CommandError(OntocrawlError):
    """A failed command. The message states what was expected, what was found, and what to do."""

    code = FAILURE


class UsageError(CommandError):
    """An invalid argument, file or setting."""

    code = USAGE


class WrongTypeError(UsageError, TypeError):
    """An argument of another type than the function takes."""


class UnknownNameError(UsageError):
    """A name that no run, topic or task has; ``name`` is the name."""

    def __init__(self, message: str, /, name: str = "", **values: Any) -> None:
        super().__init__(message, name=name, **values)
        self.name = name


class NotInGraphError(UsageError, LookupError):
    """A parameter of a query names a run, an ontology or another node that the graph does not have."""

    def __init__(self, message: str, /, kind: str = "", **values: Any) -> None:
        super().__init__(message, kind=kind, **values)
        self.kind = kind


class ResumableStop(CommandError):  # noqa: N818 - an outcome, not a defect
    """A run that stopped before its limit and can be resumed."""

    code = RESUMABLE


class GraphNotWritten(CommandError):  # noqa: N818 - an outcome: the crawl itself did not fail
    """A crawl that is not in the graph, or not completely. It can be written later from its journal."""

    code = DEPENDENCY


class StatementCancelled(CommandError):  # noqa: N818 - an outcome, not a defect
    """A statement that Ctrl-C ended, on the server too."""

    code = INTERRUPTED


class ChatError(CommandError):
    """A server of a language model that gives no answers. The message never has its key."""

    code = DEPENDENCY


def nearest(given: str, known: Iterable[str]) -> str:
    """Return the end of an error message for an unknown name: the closest known name, if any, and the choices.

    Args:
        given: the unknown name.
        known: the known names.

    Returns:
        Text to append to the message; empty where no name is known.

    >>> nearest("rainstrom", ["rainstorm", "typhoon"])
    "; did you mean 'rainstorm'? Choices: rainstorm, typhoon"
    >>> nearest("x", ["rainstorm", "typhoon"])
    '. Choices: rainstorm, typhoon'
    >>> nearest("x", [])
    ''
    """
    choices = sorted(known)
    if not choices:
        return ""
    guess = closest(given, choices, Message("hints.stop"))
    more = Message("hints.others", count=len(choices) - _SHOWN) if len(choices) > _SHOWN else ""
    return Message("hints.choices", guess=guess, choices=", ".join(choices[:_SHOWN]), more=more)
