"""What the benchmarks have in common beside measuring: arguments, the machine, the JSON, and the page made from it."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ontology.files import write_atomically

Result = Mapping[str, Any]


def arguments(description: str | None) -> argparse.ArgumentParser:
    """A parser with the option --json; the description is the benchmark's docstring, and shown as it stands."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result there too, and a page beside it")
    return parser


def head(name: str, **more: Any) -> dict[str, Any]:
    """What every result begins with: which benchmark, on what."""
    about = {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}
    return {"benchmark": name, **about, **more}


def machine(result: Result, *more: str) -> str:
    """On what a result was measured, in words: Python, what else is to be said, the system, its processors."""
    count = [f"{result[word]} {word}" for word in ("processors", "cores") if result.get(word)]
    return ", ".join([f"Python {result['python']}", *more, result["system"], *count])


def load() -> float | None:
    """The load average over the last minute, where the system has one."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def page(title: str, command: str, lines: Iterable[str]) -> str:
    """A Markdown page that says what wrote it."""
    return "\n".join([f"# {title}", "", f"Written by `{command}`; not edited by hand.", "", *lines, ""])


def grid(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> list[str]:
    """The lines of a Markdown table; numbers have thousands separators."""
    shown = [[f"{v:,}" if isinstance(v, int | float) else str(v) for v in row] for row in rows]
    return [_line(columns), f"|{'---|' * len(columns)}", *map(_line, shown)]


def _line(cells: Sequence[str]) -> str:
    return f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in cells)}|"


def publish(result: Result, path: Path | None, table: Callable[[Result], str]) -> None:
    """Print a result as JSON; with a path, write it there, and its page beside it with the suffix .md."""
    print(json.dumps(result, indent=1, ensure_ascii=False))
    if path is not None:
        save(result, path, table)


def save(result: Result, path: Path, table: Callable[[Result], str]) -> None:
    """Write a result as JSON, and its page beside it with the suffix .md."""
    write_atomically(path, (json.dumps(result, indent=1, ensure_ascii=False) + "\n").encode())
    write_atomically(path.with_suffix(".md"), table(result).encode())
