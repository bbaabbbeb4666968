"""Draw the rooms of the house, as their imports are: a room imports only what is below it.

    python -m tools.rooms docs/rooms.svg

A package of a package is a room; a module beside the rooms stands by its own name. An arrow that follows from others is
left out (A -> C where A -> B -> C), so what a room may reach is what can be walked to, downwards.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from ontology.draw.layout import Ints, lay_out, layers
from ontology.draw.svg import INK, LINE, SOFT, TERM, document, label, plain_text, text_width
from tools import generated_page

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "rooms.svg"
HOUSE = ("ontocrawl", "crawler", "kg", "ontology")
"""Packages, from top to bottom."""
_ROW, _BOX, _MARGIN, _GAP, _BEND = 44.0, 24.0, 20.0, 14.0, 5.0
_FILL = "#e8f0f8"


def modules(package: str) -> Mapping[str, Path]:
    """Return module -> file of a package; the package itself by its name."""
    files = sorted((ROOT / package).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def imported(path: Path) -> Iterator[str]:
    """List the names that a file imports, anywhere in it: modules, and names of modules."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(module: str) -> str:
    """Return the room of a module, or of a name in it: the first two parts."""
    return ".".join(module.split(".")[:2])


def arrows(package: str) -> Mapping[str, frozenset[str]]:
    """Return room -> rooms of the same package that its files import."""
    known = modules(package)
    rooms = {room_of(module) for module in known} - {package}
    found: defaultdict[str, set[str]] = defaultdict(set)
    for module, path in known.items():
        if module != package:
            found[room_of(module)] |= {room_of(name) for name in imported(path)} & rooms - {room_of(module)}
    return {room: frozenset(found[room]) for room in sorted(rooms)}


def reduced(below: Mapping[str, frozenset[str]]) -> list[tuple[str, str]]:
    """Return the arrows that do not follow from others; raise ValueError where there is a cycle.

    >>> reduced({"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset()})
    [('a', 'b'), ('b', 'c')]
    """
    order = _sorted(below)
    reach: dict[str, set[str]] = {}
    for room in reversed(order):
        reach[room] = set(below[room]).union(*(reach[other] for other in below[room]))
    return [
        (room, other)
        for room in order
        for other in sorted(below[room])
        if not any(other in reach[third] for third in below[room])
    ]


def _sorted(below: Mapping[str, frozenset[str]]) -> list[str]:
    names = list(below)
    edges = [(names.index(room), names.index(other)) for room in names for other in below[room]]
    level = layers(len(names), np.array(edges, dtype=np.int64).reshape(-1, 2))
    return [names[i] for i in np.argsort(level, kind="stable")]


def _band(package: str, top: float) -> tuple[list[str], float, float]:
    """Return the elements of a package's picture, its width and its height.

    Args:
        package: the package.
        top: where it begins, in pixels.
    """
    below = arrows(package)
    known = modules(package)
    names = _sorted(below)
    files = {room: sum(1 for module in known if room_of(module) == room) for room in names}
    is_room = {room: known[room].name == "__init__.py" for room in names}
    texts = [f"{room.partition('.')[2]} {files[room]}" if is_room[room] else room.partition(".")[2] for room in names]
    edges = np.array([(names.index(a), names.index(b)) for a, b in reduced(below)], dtype=np.int64).reshape(-1, 2)
    row: Ints = layers(len(names), edges)
    widths = np.array([text_width(text) + 14 for text in texts])
    layout = lay_out(row, edges, widths, gap=_GAP, bend=_BEND)
    x, y = layout.x + _MARGIN, top + 34 + row * _ROW
    drawn = [plain_text(_MARGIN, top + 16, f"{package}: {len(known)} files", SOFT, size=14)]
    for (upper, lower), bends in zip(edges.tolist(), layout.bends, strict=True):
        points = [(x[upper], y[upper] + _BOX), *((at + _MARGIN, top + 34 + r * _ROW + _BOX / 2) for r, at in bends)]
        points.append((x[lower], y[lower]))
        path = " ".join(f"{px:.0f},{py:.0f}" for px, py in points)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{LINE}" marker-end="url(#down)"/>')
    for i, text in enumerate(texts):
        if is_room[names[i]]:
            box = f'x="{x[i] - widths[i] / 2:.0f}" y="{y[i]:.0f}" width="{widths[i]:.0f}" height="{_BOX:.0f}" rx="4"'
            drawn.append(f'<rect {box} fill="{_FILL}" stroke="{TERM}"/>')
        drawn.append(label(x[i], y[i] + 16, [text], INK if is_room[names[i]] else SOFT))
    return drawn, layout.breadth + 2 * _MARGIN, 34 + (int(row.max(initial=0)) + 1) * _ROW + 10


def picture(_: Path = PAGE) -> str:
    """Return the picture of all packages as SVG."""
    marker = '<marker id="down" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="5" markerHeight="5" orient="auto">'
    body = [f'<defs>{marker}<path d="M0,0 L6,3 L0,6 z" fill="{LINE}"/></marker></defs>']
    top, breadth = 0.0, 0.0
    for package in HOUSE:
        drawn, width, height = _band(package, top)
        body += drawn
        breadth, top = max(breadth, width), top + height
        body.append(
            f'<line x1="0" y1="{top - 4:.0f}" x2="4000" y2="{top - 4:.0f}" stroke="{LINE}" stroke-dasharray="4 4"/>'
        )
    return document(breadth, top, "The rooms of ontocrawl and what they import", body, shown_width=None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the picture; return the exit code."""
    return generated_page.main(arguments, "tools.rooms", __doc__, PAGE, picture)


if __name__ == "__main__":
    sys.exit(main())
