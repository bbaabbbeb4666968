"""Generated pages of docs/: write one, or check that it is up to date."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ontocrawl.errors import FINDINGS
from ontology import files


def main(
    arguments: Sequence[str] | None, module: str, description: str | None, page: Path, build: Callable[[Path], str]
) -> int:
    """Write or check a generated page, as ``python -m MODULE [PAGE] [--check]``.

    Args:
        arguments: arguments of the command; None for those of the process.
        module: name of the module, for messages.
        description: text of ``--help``.
        page: default path of the page.
        build: function that returns the text of a page by its path.

    Returns:
        Exit code 0, or 3 where the page is out of date.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="?", type=Path, default=page)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the page is out of date")
    chosen = parser.parse_args(arguments)
    text = build(chosen.page)
    if not chosen.check:
        files.write_atomically(chosen.page, text.encode())
    elif (known := chosen.page.read_text(encoding="utf-8") if chosen.page.exists() else "") != text:
        print(f"{chosen.page} is out of date: run python -m {module} {chosen.page}", file=sys.stderr)
        difference = difflib.unified_diff(known.splitlines(), text.splitlines(), "now", "new", lineterm="", n=1)
        print(*difference, sep="\n", file=sys.stderr)
        return FINDINGS
    return 0


def inserted(page: Path, begin: str, end: str, part: str) -> str:
    """Return the text of a page with a new part between two marks. Raises SystemExit for a page without the marks."""
    head, begins, rest = page.read_text(encoding="utf-8").partition(begin)
    _, ends, tail = rest.partition(end)
    if not begins or not ends:
        raise SystemExit(f"{page}: expected the marks {begin!r} and {end!r}; put them where the part should stand")
    return f"{head}{begin}\n\n{part}\n\n{end}{tail}"


@contextmanager
def narrow() -> Iterator[None]:
    """A terminal of 80 columns."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
