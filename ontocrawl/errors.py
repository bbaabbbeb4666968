"""Errors that end a command, with a message for the user and an exit code (docs/commands.md)."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from ontology.errors import OntocrawlError, Option

__all__ = [
    "CommandError", "GraphNotWritten", "OntocrawlError", "Option", "ResumableStop", "UsageError", "WrongTypeError",
    "nearest",
]  # fmt: skip
FAILURE, USAGE, FINDINGS, DEPENDENCY, RESUMABLE, INTERRUPTED = 1, 2, 3, 4, 5, 130


class CommandError(OntocrawlError):
    """A failed command. The message states what was expected, what was found, and what to do."""

    code = FAILURE


class UsageError(CommandError):
    """An invalid argument, file or setting."""

    code = USAGE


class WrongTypeError(UsageError, TypeError):
    """An argument of another type than the function takes."""


class ResumableStop(CommandError):  # noqa: N818 - an outcome, not a defect
    """A run that stopped before its limit and can be resumed."""

    code = RESUMABLE


class GraphNotWritten(CommandError):  # noqa: N818 - an outcome: the crawl itself did not fail
    """A crawl that is not in the graph, or not completely. It can be written later from its journal."""

    code = DEPENDENCY


def nearest(given: str, known: Iterable[str]) -> str:
    """Return the end of an error message for an unknown name: the closest known name, if any, and all choices.

    Args:
        given: the unknown name.
        known: the known names.

    Returns:
        Text to append to the message.

    >>> nearest("rainstrom", ["rainstorm", "typhoon"])
    "; did you mean 'rainstorm'? Choices: rainstorm, typhoon"
    >>> nearest("x", ["rainstorm", "typhoon"])
    '. Choices: rainstorm, typhoon'
    """
    choices = sorted(known)
    close = get_close_matches(given, choices, n=1, cutoff=0.5)
    guess = f"; did you mean {close[0]!r}?" if close else ""
    return f"{guess or '.'} Choices: {', '.join(choices)}"
