"""A lattice as one JSON document, written line by line; it can be read again as a context.

Keys: `objects`, `properties` and `context` as in `jsonfmt`; `min_support` and `min_stability` (null: not pruned) of
the lattice; `concepts`, from the top, each with `extent` and `intent` (numbers of objects and attributes), `support`
and, if requested, `stability` with `standard_error` (0: counted exactly); if requested `implications`, each with
`premise`, `conclusion` (numbers of attributes) and `support`; `covers`, pairs (upper, lower) of concept numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ontology.context import bits_of
from ontology.files import open_atomically
from ontology.lattice import Basis, Lattice, Stability, StablePart

_CHUNK = 4096


def write(lattice: Lattice, path: Path, *, stability: Stability | None = None, basis: Basis | None = None) -> None:
    """Write a lattice as JSON, atomically.

    Args:
        lattice: the lattice.
        path: the file.
        stability: stability of its concepts, in its order; None to leave it out.
        basis: implications of its context; None to leave them out.

    Raises:
        OSError: the file can't be written.
    """
    with open_atomically(path) as stream:
        for text in _document(lattice, stability, basis):
            stream.write(text.encode("utf-8", "backslashreplace"))


def _document(lattice: Lattice, stability: Stability | None, basis: Basis | None) -> Iterator[str]:
    context = lattice.context
    yield f'{{"objects": {_text(context.objects)},\n "properties": {_text(context.attributes)},\n'
    yield from _list("context", (_text(list(bits_of(row))) for row in context.rows))
    part = lattice.min_stability if isinstance(lattice, StablePart) else None
    yield f' "min_support": {lattice.min_support},\n "min_stability": {_text(part)},\n'
    yield from _list("concepts", (_text(c) for c in _concepts(lattice, stability)))
    if basis is not None:
        rules = ({"premise": list(bits_of(i.premise)), "conclusion": list(bits_of(i.conclusion)), "support": i.support}
                 for i in basis.implications)  # fmt: skip
        yield from _list("implications", map(_text, rules))
    yield from _list("covers", (_text(pair) for pair in lattice.covers.tolist()), end="}\n")


def _concepts(lattice: Lattice, stability: Stability | None) -> Iterator[dict[str, Any]]:
    for i, c in enumerate(lattice.concepts):
        entry = {"extent": list(bits_of(c.extent)), "intent": list(bits_of(c.intent)), "support": c.support}
        if stability is not None:
            entry |= {"stability": float(stability.values[i]), "standard_error": float(stability.standard_error[i])}
        yield entry


def _list(key: str, items: Iterable[str], end: str = ",\n") -> Iterator[str]:
    yield f' "{key}": ['
    separator = "\n  "
    for item in items:
        yield separator + item
        separator = ",\n  "
    yield f"\n ]{end}"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
