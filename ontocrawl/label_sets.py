"""Sets of labelled pages: lists of a JSON file, or the categories of a table of pages."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from ontocrawl.errors import Option, UsageError, nearest

TABLE = ".tsv"
"""Ending of a table; any other file is JSON."""


def read(path: Path) -> dict[str, list[str]]:
    """Read all label sets of a file.

    Args:
        path: a JSON object of lists of URLs or page names; or a file that ends in .tsv, a table of lines PAGE, tab,
            CATEGORY, where a page may have several lines, and blank lines and those that begin with # are ignored.

    Returns:
        Name -> URLs or page names, as they stand in the file.

    Raises:
        UsageError: the file cannot be read, or has another form.
    """
    text = text_of(path)
    if path.suffix == TABLE:
        return _table(text, path)
    try:
        sets = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(Option(f"--labels {path}"), f" is not JSON: {error}") from error
    if not isinstance(sets, dict):
        raise UsageError(
            Option(f"--labels {path}"), f": expected a JSON object of name lists, found a {type(sets).__name__}"
        )
    if other := [name for name, items in sets.items() if not isinstance(items, list)]:
        raise UsageError(Option(f"--labels {path}"), f": the set {other[0]!r} is not a list of names")
    return {str(name): [str(item) for item in items] for name, items in sets.items()}


def pages(spec: str) -> list[str]:
    """Return the pages of one set.

    Args:
        spec: ``FILE#SET``. A set of a table is a category with all those below it: ``subject.IT`` is the category of
            that name and all categories that begin with ``subject.IT.``.

    Returns:
        URLs or page names, each once.

    Raises:
        UsageError: the file cannot be read, has another form, or has no such set.
    """
    file, _, name = spec.partition("#")
    sets = read(Path(file))
    below = f"{name}." if Path(file).suffix == TABLE and name else None
    found = [one for one in sets if one == name or (below is not None and one.startswith(below))]
    if not found:
        raise UsageError(Option(f"--labels {file}"), f" has no set {name!r}{nearest(name, sets)}")
    return list(dict.fromkeys(page for one in found for page in sets[one]))


def _table(text: str, path: Path) -> dict[str, list[str]]:
    sets: dict[str, list[str]] = defaultdict(list)
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        page, tab, category = line.partition("\t")
        if not (tab and page.strip() and category.strip()) or "\t" in category:
            raise UsageError(Option(f"--labels {path}"), f", line {number}: expected PAGE, a tab, CATEGORY: {line!r}")
        sets[category.strip()].append(page.strip())
    return dict(sets)


def text_of(path: Path) -> str:
    """Read a file of text. Raises UsageError if it cannot be read, or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as UTF-8 text: {error}") from error
