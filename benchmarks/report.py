"""What the benchmarks have in common beside measuring: arguments, the machine, the JSON, and the page made from it."""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from ontology.files import write_atomically

Result = Mapping[str, Any]
Row = dict[str, Any]


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


def commit(checkout: Path) -> str:
    """Return the short name of the commit of a checkout."""
    asked = ["git", "-C", str(checkout), "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def load() -> float | None:
    """The load average over the last minute, where the system has one."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def memory() -> int:
    """The largest memory of the process so far, in MB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20)


def page(title: str, command: str, lines: Iterable[str]) -> str:
    """A Markdown page that says what wrote it."""
    return "\n".join([f"# {title}", "", f"Written by `{command}`; not edited by hand.", "", *lines, ""])


def grid(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> list[str]:
    """The lines of a Markdown table; numbers have thousands separators."""
    shown = [[f"{v:,}" if isinstance(v, int | float) else str(v) for v in row] for row in rows]
    return [_line(columns), f"|{'---|' * len(columns)}", *map(_line, shown)]


def _line(cells: Sequence[str]) -> str:
    return f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in cells)}|"


def stored_rows(path: Path | None, **settings: Any) -> list[Row]:
    """Read the rows of an earlier result.

    Args:
        path: its JSON; there may be none yet.
        settings: keys of the result with the values that it must have.

    Returns:
        The rows; none where the result was measured under other settings.
    """
    if path is None or not path.exists():
        return []
    stored = json.loads(path.read_text(encoding="utf-8"))
    return list(stored["rows"]) if all(stored[name] == value for name, value in settings.items()) else []


def measure(
    tasks: Iterable[Any], stored: Iterable[Row], *, run: Callable[[Any], Row], key: Callable[[Row], Hashable],
    workers: int, result: Callable[[Sequence[Row]], Result], path: Path | None, page: Callable[[Result], str],
) -> None:  # fmt: skip
    """Measure the tasks that have no row yet, save the result after each of them, and publish it.

    Args:
        tasks: what to measure.
        stored: rows that were measured before.
        run: measures a task, in another process.
        key: the task that a row is about.
        workers: processes at a time.
        result: all rows -> what is written as JSON.
        path: the JSON to write; its page is written beside it.
        page: the result -> its page.
    """
    rows = {key(row): row for row in stored}
    with ProcessPoolExecutor(workers) as pool:
        for row in pool.map(run, [task for task in tasks if task not in rows]):
            rows[key(row)] = row
            print(row, file=sys.stderr, flush=True)
            if path is not None:
                save(result([*rows.values()]), path, page)
    publish(result([*rows.values()]), path, page)


def publish(result: Result, path: Path | None, table: Callable[[Result], str]) -> None:
    """Print a result as JSON; with a path, write it there, and its page beside it with the suffix .md."""
    print(json.dumps(result, indent=1, ensure_ascii=False))
    if path is not None:
        save(result, path, table)


def save(result: Result, path: Path, table: Callable[[Result], str]) -> None:
    """Write a result as JSON, and its page beside it with the suffix .md."""
    write_atomically(path, (json.dumps(result, indent=1, ensure_ascii=False) + "\n").encode())
    write_atomically(path.with_suffix(".md"), table(result).encode())
