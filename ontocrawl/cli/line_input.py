"""Lines that a person types at a prompt, or that a pipe holds."""

from __future__ import annotations

import sys

from ontocrawl.cli.output import Stream, stdout


def read_line(prompt: str, out: Stream) -> str | None:
    """Read a line; None at the end of the input.

    Args:
        prompt: text before it.
        out: the stream of the prompt. Where nobody types, the line is printed there too.
    """
    if sys.stdin.isatty() and out is stdout:
        try:
            return input(prompt)
        except EOFError:
            return None
    line = sys.stdin.readline()
    out.print(prompt + line.rstrip("\r\n"), soft_wrap=True)
    return line or None
