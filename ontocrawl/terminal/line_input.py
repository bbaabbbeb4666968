"""Lines that a person types at a prompt, or that a pipe holds."""

from __future__ import annotations

import sys
from typing import Any, Protocol


class Prompting(Protocol):
    """A standard stream on which a prompt is printed."""

    is_stderr: bool

    def print(self, *objects: Any, soft_wrap: bool = False) -> None:
        """Print text."""


def read_line(prompt: str, out: Prompting) -> str | None:
    """Read a line; None at the end of the input.

    Args:
        prompt: text before it.
        out: the stream of the prompt. Where nobody types, the line is printed there too.
    """
    if sys.stdin.isatty() and not out.is_stderr:
        try:
            return input(prompt)
        except EOFError:
            return None
    line = sys.stdin.readline()
    out.print(prompt + line.rstrip("\r\n"), soft_wrap=True)
    return line or None
