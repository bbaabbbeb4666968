"""Errors that end a command: one sentence for the user, and the exit code of docs/commands.md."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

FAILURE, USAGE, FINDINGS, DEPENDENCY, RESUMABLE, INTERRUPTED = 1, 2, 3, 4, 5, 130


class CommandError(Exception):
    """A command that cannot go on. The message says what was expected, what was found, and what to do."""

    code = FAILURE


class UsageError(CommandError):
    """The command, a file or a setting asks for something that does not exist."""

    code = USAGE


class ResumableStop(CommandError):  # noqa: N818 - an outcome, not a defect
    """A run that stopped before its limit and can be resumed."""

    code = RESUMABLE


def nearest(given: str, known: Iterable[str]) -> str:
    """``, did you mean 'x'?`` or nothing; and the choices."""
    choices = sorted(known)
    close = get_close_matches(given, choices, n=1, cutoff=0.5)
    guess = f"; did you mean {close[0]!r}?" if close else ""
    return f"{guess or '.'} Choices: {', '.join(choices)}"
