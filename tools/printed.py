"""What commands print, for the marked places of generated pages."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from ontocrawl.cli.main import invoke
from ontocrawl.cli.output import quoted

_PLACE = re.compile(r"<!-- session: ([a-z]+) -->\n.*?<!-- end of session -->", re.DOTALL)
_WIDTH = 130
"""Longest line of a session; longer ones are cut."""


def in_page(page: Path, shown: Mapping[str, Sequence[str]]) -> str:
    """Return the text of a page with new sessions between its marks.

    Args:
        page: the page.
        shown: name of a session -> its lines; sessions of other names stay as they are.
    """

    def new(place: re.Match[str]) -> str:
        return _block(place[1], shown[place[1]]) if place[1] in shown else place[0]

    return _PLACE.sub(new, page.read_text(encoding="utf-8"))


def _block(name: str, lines: Sequence[str]) -> str:
    fence = "\n".join(["```text", *lines, "```"])
    return f"<!-- session: {name} -->\n\n{fence}\n\n<!-- end of session -->"


def run(*arguments: str, replies: Sequence[str] = (), said: bool = False) -> list[str]:
    """Run a command with replies on its stdin, and return the lines that it prints.

    Args:
        *arguments: the arguments of ontocrawl.
        replies: one line each.
        said: whether the command is the first of the lines returned.

    Raises:
        RuntimeError: the command failed.
    """
    out = io.StringIO()
    before, sys.stdin = sys.stdin, io.StringIO("".join(f"{reply}\n" for reply in replies))
    try:
        with redirect_stdout(out), redirect_stderr(out):
            code = invoke(arguments)
    finally:
        sys.stdin = before
    if code != 0:
        raise RuntimeError(f"{quoted('ontocrawl', *arguments)} ended with {code}: {out.getvalue()}")
    head = [f"$ {quoted('ontocrawl', *arguments)}"] if said else []
    return [*head, *(cut(line.rstrip()) for line in out.getvalue().strip().splitlines())]


def cut(line: str) -> str:
    """Return a line, cut where it is too long for a page."""
    return line if len(line) <= _WIDTH else line[: _WIDTH - 2].rstrip() + ".."
